// A wallet from npm with a mint of ours: get mana from the faucet, hold it as text, swap it, lock it to a key, redeem it.
//
//   npm install @cashu/cashu-ts
//   node wallet.mjs http://127.0.0.1:3333        (dicehall mint --faucet is running there)
import { Wallet, createRandomSecretKey, getEncodedToken, getPubKeyFromPrivKey } from '@cashu/cashu-ts'

const url = process.argv[2] ?? 'http://127.0.0.1:3333'
const hex = (bytes) => Buffer.from(bytes).toString('hex')
const count = (proofs) => proofs.reduce((total, proof) => total + Number(proof.amount), 0)

// A keyset is a league: take the one you want to play in. Without keysetId a wallet takes any of the sixteen.
const { keysets } = await (await fetch(`${url}/v1/keysets`)).json()
const { id } = keysets.find((keyset) => keyset.unit === 'mana' && keyset.league_id === 2)
const wallet = new Wallet(url, { unit: 'mana', keysetId: id })
await wallet.loadMint()

const quote = await wallet.createMintQuote('faucet', { amount: 3 }) // paid at once: it is a faucet
const minted = await wallet.mintProofs('faucet', 3, quote)
console.log(`minted ${count(minted)} mana of league 2`)

const token = getEncodedToken({ mint: url, unit: 'mana', proofs: minted })
console.log(`a token to keep or to give away: ${token.slice(0, 24)}...`)

const swapped = await wallet.receive(token) // from here on the text is worth nothing
console.log(`swapped ${count(swapped)}`)
await wallet.receive(token).catch((error) => console.log(`a second time: ${error.message}`))

const secret = createRandomSecretKey()
const { keep, send } = await wallet.ops.send(2, swapped).asP2PK({ pubkey: hex(getPubKeyFromPrivKey(secret)) }).run()
console.log(`locked ${count(send)}, kept ${count(keep)}`)
await wallet.receive(send).catch((error) => console.log(`without the key: ${error.message}`))

const redeemed = await wallet.ops.receive(send).privkey(hex(secret)).run()
console.log(`redeemed ${count(redeemed)} with the key`)
