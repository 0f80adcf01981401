"""What wallets and the mint say to each other: the structures of the NUTs, with bounds on everything."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct

MAX_INPUTS = MAX_OUTPUTS = 100
MAX_AMOUNT = 1 << 40
MATCH_ID = r"\A[A-Za-z0-9._-]{1,64}\Z"

KeysetId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}([0-9a-f]{50})?\Z")]
PointHex = Annotated[str, Meta(pattern=r"\A0[23][0-9a-f]{64}\Z")]
Hex32 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
SignatureHex = Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z")]
Amount = Annotated[int, Meta(ge=1, le=MAX_AMOUNT)]
SecretText = Annotated[str, Meta(min_length=1, max_length=1024)]
WitnessText = Annotated[str, Meta(max_length=8192)]
MatchId = Annotated[str, Meta(pattern=MATCH_ID)]


class Problem(IntEnum):
    """The error codes of the NUTs, and a few of our own from 40000."""

    INVALID_PROOF = 10001
    ALREADY_SPENT = 11001
    ALREADY_SIGNED = 11003
    NOT_BALANCED = 11005
    AMOUNT_OUT_OF_RANGE = 11006
    DUPLICATE_INPUTS = 11007
    DUPLICATE_OUTPUTS = 11008
    SEVERAL_UNITS = 11009
    UNITS_DIFFER = 11010
    UNIT_NOT_SUPPORTED = 11013
    TOO_MANY_INPUTS = 11014
    TOO_MANY_OUTPUTS = 11015
    UNKNOWN_KEYSET = 12001
    INACTIVE_KEYSET = 12002
    NOT_PAID = 20001
    ALREADY_ISSUED = 20002
    MINTING_DISABLED = 20003
    EXPIRED = 20007
    INVALID_SIGNATURE = 20008
    PUBKEY_REQUIRED = 20009
    BAD_REQUEST = 40000
    NOT_FOUND = 40004
    NOT_AUTHORIZED = 40001
    BOUND_ELSEWHERE = 40009
    TOO_LARGE = 40013
    BUSY = 40029


class MintError(Exception):
    """A request that the mint refuses: nothing has changed."""

    def __init__(self, problem: Problem, sentence: str) -> None:
        super().__init__(sentence)
        self.problem = problem


class Dleq(Struct, frozen=True, omit_defaults=True):
    e: str
    s: str
    r: str | None = None


class BlindedMessage(Struct, frozen=True):
    amount: Amount
    id: KeysetId
    B_: PointHex


class BlindSignature(Struct, frozen=True):
    amount: int
    id: str
    C_: str
    dleq: Dleq


class Proof(Struct, frozen=True, omit_defaults=True):
    amount: Amount
    id: KeysetId
    secret: SecretText
    C: PointHex
    witness: WitnessText | None = None
    dleq: Dleq | None = None


Inputs = Annotated[tuple[Proof, ...], Meta(min_length=1, max_length=MAX_INPUTS)]
Outputs = Annotated[tuple[BlindedMessage, ...], Meta(min_length=1, max_length=MAX_OUTPUTS)]


class SwapRequest(Struct, frozen=True):
    inputs: Inputs
    outputs: Outputs


class Signatures(Struct, frozen=True):
    signatures: tuple[BlindSignature, ...]


class QuoteRequest(Struct, frozen=True):
    amount: Amount
    unit: str
    pubkey: PointHex | None = None
    match_id: MatchId | None = None  # of loot: a second quote for the match is the first one


class Quote(Struct, frozen=True):
    quote: str
    request: str
    amount: int
    unit: str
    method: str
    state: str
    expiry: int
    pubkey: str | None = None


class MintRequest(Struct, frozen=True):
    quote: Annotated[str, Meta(min_length=1, max_length=128)]
    outputs: Outputs
    signature: SignatureHex | None = None


class LootRequest(Struct, frozen=True):
    match_id: MatchId
    winner: Annotated[str, Meta(max_length=100)]
    amount: Amount
    outputs: Outputs
    signature: SignatureHex | None = None


class StateRequest(Struct, frozen=True):
    Ys: Annotated[tuple[PointHex, ...], Meta(max_length=1000)]


class ProofState(Struct, frozen=True):
    Y: str
    state: str
    witness: str | None = None


class States(Struct, frozen=True):
    states: tuple[ProofState, ...]


class VerifyRequest(Struct, frozen=True):
    secret: SecretText
    signature: PointHex
    id: KeysetId | None = None
    match_id: MatchId | None = None


class BindRequest(Struct, frozen=True):
    secret: SecretText
    signature: PointHex
    match_id: MatchId
    id: KeysetId | None = None


class Verified(Struct, frozen=True):
    valid: bool
    spent: bool
    bound_to: str | None
    amount: int | None
    league_id: int | None
    keyset: str | None
