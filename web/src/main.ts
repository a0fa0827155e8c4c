import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { keepFocus } from './base/focus'

mount(App, { target: document.getElementById('app')! })
keepFocus()
if ('serviceWorker' in navigator && import.meta.env.PROD) void navigator.serviceWorker.register('/worker.js')
