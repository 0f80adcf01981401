// Events signed by us are checked by nostr-tools, and as many signed by it are printed.
//   node foreign_events.mjs MODULE < EVENTS_AS_JSON
import { pathToFileURL } from 'node:url'
import { readFileSync } from 'node:fs'

const { finalizeEvent, generateSecretKey, verifyEvent } = await import(pathToFileURL(process.argv[2]))
const ours = JSON.parse(readFileSync(0, 'utf8'))
const verified = ours.map((event) => verifyEvent(event))
const secret = generateSecretKey()
const theirs = ours.map(({ kind, created_at, tags, content }) =>
  finalizeEvent({ kind, created_at, tags, content }, secret)
)
console.log(JSON.stringify({ verified, theirs }))
