"""Messages at one table: the news in its windows, and announcements to its players and spectators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dicehall.games.aetharn.rules import Aetharn
from dicehall.hall.seeds.aetharn_events import Happened
from dicehall.hall.seeds.aetharn_game import AetharnGame
from dicehall.venue.table_view import HeldDice, Shown, seconds
from dicehall.wire.sentences import render, words_of

MOST_NEWS = 180  # characters; the windows have four lines for them
DESTROYED = "The table was destroyed: the game is abandoned."

# Events that need no words: others say the same, or the window shows it.
SILENT = frozenset({"TurnStarted", "TurnEnded", "TimerTick", "TimerExpired", "SpectatorJoined", "SpectatorLeft"})
# Events that change nothing in a window.
UNSEEN = frozenset({"SpectatorJoined", "SpectatorLeft"})
# Events that are announced outside the window too.
ANNOUNCED = frozenset(
    {"GameStarted", "PlayerFolded", "PlayerAbsent", "PlayerReturned", "PlayerRemoved", "GraceWarning"}
    | {"GameEnded", "GameAbandoned", "LobbyCleared"}
)
# Events after which the dice are others, so that no die is ticked any more.
NEW_DICE = frozenset({"TurnStarted", "TurnEnded", "DiceRolled", "DiceHeld"})


@dataclass(slots=True, eq=False)
class Tableside:
    """A game, with what its windows show beside its state."""

    game: AetharnGame
    title: str
    held: HeldDice = field(default_factory=HeldDice)
    news: str = ""
    told: list[str] = field(default_factory=list)  # since the windows were last brought up to date
    sitting: dict[int, str] = field(default_factory=dict)  # names in the lobby, by chair
    destroyed: bool = False  # together with its table

    def shown(self) -> Shown:
        if self.told:
            self.news, self.told = " ".join(latest(self.told)), []
        return Shown(self.game, self.game.state, self.game.now(), self.held, self.news)

    def hear(self, event: Happened) -> str | None:
        """Take an event in; the sentence it makes, if any."""
        self.held.hear(event)
        if event.name in SILENT:
            return None
        sentence = self.sentence(event)
        if sentence is not None:
            self.told.append(sentence)
        return sentence

    def sentence(self, event: Happened) -> str | None:
        match event.name:
            case "LobbyPlayerJoined" | "LobbyPlayerLeft":
                return self.lobby_sentence(event)
            case "LobbyCleared" | "GameAbandoned" if self.destroyed:
                return DESTROYED
            case "LobbyCleared":
                return "Everybody has left the table."
            case "GraceWarning" | "PlayerAbsent" | "PlayerRemoved":
                return absence_sentence(event, self.names)
            case "GameSlept":
                return "Paused: nobody is playing."
        words = words_of(Aetharn)
        told = {"event": event.name, **event.fields}
        return render(words, told, self.names) if event.name in words else None

    def lobby_sentence(self, event: Happened) -> str:
        number = event["player"]
        if event.name == "LobbyPlayerLeft":
            return f"{self.sitting.pop(number, 'Somebody')} stands up."
        chairs = self.game.live.state.chairs
        self.sitting[number] = next((chair.name for chair in chairs if chair.number == number), "Somebody")
        return f"{self.sitting[number]} sits down."

    @property
    def names(self) -> Sequence[str]:
        """By seat."""
        return [chair.name for chair in self.game.live.state.chairs]


def latest(sentences: Sequence[str]) -> Sequence[str]:
    """The last ones, as many as a window has room for, but at least one."""
    first = len(sentences) - 1
    while first > 0 and len(" ".join(sentences[first - 1 :])) <= MOST_NEWS:
        first -= 1
    return sentences[first:]


def absence_sentence(event: Happened, names: Sequence[str]) -> str:
    name, fields = names[event["player"]], event.fields
    match event.name:
        case "PlayerAbsent":
            return f"{name} has left the table and has {whole_seconds(fields, 'grace_period')} s to come back."
        case "GraceWarning":
            return f"{name} has {whole_seconds(fields, 'time_remaining')} s to come back."
    left = event["remaining_player_count"]
    return f"{name} is out of the game ({event['reason']}); {left} {'player is' if left == 1 else 'players are'} left."


def whole_seconds(fields: Mapping[str, int], name: str) -> int:
    return seconds(fields[name])
