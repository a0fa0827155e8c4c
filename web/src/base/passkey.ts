// Passkeys: what the server asks, as the browser wants it, and what that gives, as the server does.

import { api, Refused } from './net'
import type { Account, Ceremony, SignedIn } from './wire'

const ALGORITHMS = [-7, -8, -257] // ES256, EdDSA, RS256

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function base64url(data: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(data), (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function unbase64url(text: string): Uint8Array<ArrayBuffer> {
  const data = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(data, (char) => char.charCodeAt(0))
}

/** A new passkey for who we are; null if it was not made. */
export async function addPasskey(): Promise<Account | null> {
  const { challenge, site, user = '', handle = '', keys = [] } = await api<Ceremony>('/me/passkeys/challenge', {})
  const made = (await navigator.credentials
    .create({
      publicKey: {
        challenge: bytes(challenge),
        rp: { id: site, name: 'Tegel' },
        user: { id: bytes(user), name: handle, displayName: handle },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: keys.map((id) => ({ type: 'public-key', id: unbase64url(id) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
        attestation: 'none',
      },
    })
    .catch(() => null)) as PublicKeyCredential | null
  if (!made) return null
  const response = made.response as AuthenticatorAttestationResponse
  return api<Account>('/me/passkeys', {
    id: made.id,
    client: base64url(response.clientDataJSON),
    attestation: base64url(response.attestationObject),
  })
}

let verification: UserVerificationRequirement = 'preferred'

/** Sign in with a passkey; null if none was chosen. A device that can verify its user, and did not, is
 * asked to. */
export async function signInByPasskey(along: boolean): Promise<SignedIn | null> {
  const { challenge, site } = await api<Ceremony>('/sign-in/challenge', {})
  const used = (await navigator.credentials
    .get({ publicKey: { challenge: bytes(challenge), rpId: site, userVerification: verification } })
    .catch(() => null)) as PublicKeyCredential | null
  if (!used) return null
  const response = used.response as AuthenticatorAssertionResponse
  const signed = api<SignedIn>('/sign-in/passkey', {
    id: used.id,
    client: base64url(response.clientDataJSON),
    authenticator: base64url(response.authenticatorData),
    signature: base64url(response.signature),
    along,
  })
  return signed.catch((error: unknown) => {
    if (verification === 'required' || !(error instanceof Refused) || error.why.code !== 'unverified') throw error
    verification = 'required'
    return signInByPasskey(along)
  })
}
