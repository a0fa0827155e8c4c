// Who we are: the name that this browser's player keeps, if they do.

export const self = $state({ handle: '', docs: false })

/** Whether this address lets one make and use passkeys: they are for names, over HTTPS or here. */
export const hasPasskeys = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname)
