// The whole life of tokens in a wallet that is not ours. Prints one JSON object.
//   node foreign_wallet.mjs MODULE MINT_URL REFEREE_SECRET_HEX PLAYER_SECRET_HEX PLAYER_PUBLIC_HEX
import { pathToFileURL } from 'node:url'

const [module, url, refereeSecret, playerSecret, playerPublic] = process.argv.slice(2)
const { Wallet, getEncodedToken, getDecodedToken, getPubKeyFromPrivKey } = await import(pathToFileURL(module))
const hex = (bytes) => Buffer.from(bytes).toString('hex')
const sum = (proofs) => proofs.reduce((total, proof) => total + Number(proof.amount), 0)
const attempt = async (work) => {
  try {
    await work()
    return 'accepted'
  } catch (error) {
    return String(error.code ?? error.message)
  }
}

const seen = {}
const mana = new Wallet(url, { unit: 'mana' })
await mana.loadMint()
const given = await mana.createMintQuote('faucet', { amount: 2, unit: 'mana' })
seen.state = given.state
const armies = await mana.mintProofs('faucet', 2, given)
seen.minted = sum(armies)
seen.dleq = armies.every((proof) => proof.dleq !== undefined)
seen.token = getEncodedToken({ mint: url, proofs: armies, unit: 'mana' }).slice(0, 6)
const { keep, send } = await mana.send(1, armies, { includeFees: false })
seen.swapped = [sum(keep), sum(send)]
const received = await mana.receive(getEncodedToken({ mint: url, proofs: send, unit: 'mana' }))
seen.received = sum(received)
seen.doubleSpend = await attempt(() => mana.receive(getEncodedToken({ mint: url, proofs: send, unit: 'mana' })))

const loot = new Wallet(url, { unit: 'loot' })
await loot.loadMint()
const referee = hex(getPubKeyFromPrivKey(Buffer.from(refereeSecret, 'hex')))
const quote = await loot.createMintQuote('loot', { amount: 1000, unit: 'loot', pubkey: referee })
const locked = { type: 'p2pk', options: { pubkey: '02' + playerPublic } }
const prize = await loot.mintProofs('loot', 1000, quote, { privkey: refereeSecret }, locked)
seen.prize = sum(prize)
const token = getEncodedToken({ mint: url, proofs: prize, unit: 'loot' })
seen.withoutKey = await attempt(() => loot.receive(token))
seen.withOtherKey = await attempt(() => loot.receive(token, { privkey: refereeSecret }))
const redeemed = await loot.receive(token, { privkey: playerSecret })
seen.redeemed = sum(redeemed)
seen.redeemedTwice = await attempt(() => loot.receive(token, { privkey: playerSecret }))
seen.states = [...new Set((await loot.checkProofsStates(redeemed)).map((state) => state.state))]
console.log(JSON.stringify(seen))
