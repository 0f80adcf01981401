// NIP-98 with nostr-tools: whether it accepts our header, and a header of its own for the same request.
//   node foreign_sign_in.mjs FOLDER_OF_NOSTR_TOOLS < {"url", "method", "payload", "ours"}
import { pathToFileURL } from 'node:url'
import { readFileSync } from 'node:fs'

const library = (name) => import(pathToFileURL(`${process.argv[2]}/${name}.js`))
const { finalizeEvent, generateSecretKey, getPublicKey } = await library('pure')
const { getToken, unpackEventFromToken, validateEvent } = await library('nip98')

const { url, method, payload, ours } = JSON.parse(readFileSync(0, 'utf8'))
const accepted = await validateEvent(await unpackEventFromToken(ours), url, method, payload)
const secret = generateSecretKey()
const theirs = await getToken(url, method, (event) => finalizeEvent(event, secret), true, payload)
console.log(JSON.stringify({ accepted, theirs, pubkey: getPublicKey(secret) }))
