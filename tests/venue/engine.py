"""A small engine for the sample scripts: it compiles them with the game's own compiler and runs their bytecode.

Only what the scripts use is there: players, placeables, local variables, JSON, NUI windows, and NWNX's HTTP client,
whose requests wait until a test lets the bridge answer them. The VM knows no JSON, so JSON values travel as objects.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO, StringIO
from itertools import count
from pathlib import Path
from typing import Any

from nwn.nwscript import Object, VMType, langspec
from nwn.nwscript.asm import Auxcode, Opcode
from nwn.nwscript.comp import Compiler
from nwn.nwscript.vm import VM, Script
from nwn.types import Vector

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "examples" / "nwn"
FOLDERS = (SCRIPTS, Path(__file__).parent / "nss")
ON_DEATH, ON_USED = 9002, 9012


def source(name: str) -> bytes | None:
    return next((found.read_bytes() for folder in FOLDERS if (found := folder / name).is_file()), None)


@cache
def compiled(name: str) -> tuple[bytes, str]:
    code: tuple[bytes, str] = Compiler(source).compile(f"{name}.nss")
    return code


@cache
def spec_of_vm() -> Any:
    """The engine's functions, as the VM can call them."""
    read = langspec.read(StringIO((FOLDERS[1] / "nwscript.nss").read_text()))
    return read._replace(functions=[without_json(function) for function in read.functions])


def without_json(function: Any) -> Any:
    def known(kind: Any) -> Any:
        return VMType.OBJECT if kind is VMType.JSON else kind

    args = [arg._replace(ty=known(arg.ty)) for arg in function.args]
    return function._replace(return_type=known(function.return_type), args=args)


class ScriptVM(VM):  # type: ignore[misc]  # the package has no types
    def _exec(self, instruction: Any) -> None:
        start: int = self.ip - 2 - instruction.extra_len  # type: ignore[has-type]
        match instruction.op:
            case Opcode.RUNSTACK_ADD if instruction.aux is Auxcode.TYPE_ENGST7:
                self._stack.push_object(Object.INVALID)
            case Opcode.JNZ:
                if self._stack.pop_int() != 0:
                    self.ip = start + instruction.extra[0]
            case Opcode.STORE_STATE:
                self._save_ip = start + instruction.aux.value
            case Opcode.EXECUTE_COMMAND if self.spec.functions[instruction.extra[0]].return_type is VMType.VECTOR:
                for number in self.impl.GetPosition(self._stack.pop_object()):
                    self._stack.push_float(number)
            case _:
                super()._exec(instruction)


@dataclass(slots=True, eq=False)
class Thing:
    """A player, a placeable, an area or the module."""

    id: int
    tag: str = ""
    name: str = ""
    area: Thing | None = None
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    locals: dict[str, Any] = field(default_factory=dict)
    scripts: dict[int, str] = field(default_factory=dict)
    sits_on: Thing | None = None
    messages: list[str] = field(default_factory=list)
    windows: dict[int, NuiWindow] = field(default_factory=dict)  # by token

    def window(self, id: str) -> NuiWindow | None:
        return next((window for window in self.windows.values() if window.id == id), None)


@dataclass(slots=True, eq=False)
class NuiWindow:
    token: int
    id: str
    nui: Any
    binds: dict[str, Any] = field(default_factory=dict)
    watched: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Request:
    id: int
    method: str
    path: str
    data: str
    token: str


@dataclass(slots=True, eq=False)
class Engine:
    """What is called in capitals is called by the scripts; the rest is for tests."""

    secret: str
    ids: Any = field(default_factory=lambda: count(1))
    things: dict[int, Thing] = field(default_factory=dict)
    players: list[Thing] = field(default_factory=list)
    values: dict[int, Any] = field(default_factory=dict)  # JSON, by the object that stands for it
    requests: list[Request] = field(default_factory=list)
    delayed: list[tuple[str, int]] = field(default_factory=list)  # a script, and where in it to go on
    log: list[str] = field(default_factory=list)
    subscribed: dict[str, str] = field(default_factory=dict)
    module: Thing = field(init=False)
    running: str = ""
    used_by: Thing | None = None
    exiting: Thing | None = None
    nui_event: tuple[Thing, NuiWindow, str, str] | None = None
    http_event: dict[str, str] = field(default_factory=dict)
    looked_at: int = 0

    def __post_init__(self) -> None:
        self.module = self.add(name="module")

    # -- the world -------------------------------------------------------------------------------------

    def add(self, **more: Any) -> Thing:
        thing = Thing(next(self.ids), **more)
        self.things[thing.id] = thing
        return thing

    def enter(self, name: str) -> Thing:
        player = self.add(name=name)
        self.players.append(player)
        return player

    def run(self, script: str, this: Thing | None = None, at: int | None = None) -> None:
        before, self.running = self.running, script
        code, names = compiled(script)
        vm = ScriptVM(Script(BytesIO(code), StringIO(names)), spec_of_vm(), self)
        vm.object_self = Object((this or self.module).id)
        if at is None:
            vm.run()
        else:
            vm.ip = at
            vm.run(from_start=False)
        self.running = before

    def use(self, player: Thing, placeable: Thing) -> None:
        self.used_by = player
        self.run(placeable.scripts[ON_USED], placeable)

    def destroy(self, placeable: Thing) -> None:
        self.run(placeable.scripts[ON_DEATH], placeable)
        del self.things[placeable.id]

    def leave(self, player: Thing) -> None:
        self.exiting = player
        self.run("dh_leave")
        self.players.remove(player)
        del self.things[player.id]

    def wait(self) -> None:
        """Let what was delayed happen."""
        delayed, self.delayed = self.delayed, []
        for script, at in delayed:
            self.run(script, None, at)

    def click(self, player: Thing, element: str, window: str = "aetharn") -> None:
        self.nui(player, window, "click", element)

    def tick(self, player: Thing, die: int, ticked: bool = True) -> None:
        window = player.window("aetharn")
        assert window is not None
        window.binds[f"tick{die}"] = ticked
        self.nui(player, "aetharn", "watch", f"tick{die}")

    def close(self, player: Thing, window: str = "aetharn") -> None:
        self.nui(player, window, "close", "_window_")
        known = player.window(window)
        assert known is not None
        del player.windows[known.token]

    def nui(self, player: Thing, window: str, kind: str, element: str) -> None:
        known = player.window(window)
        assert known is not None
        before, self.nui_event = self.nui_event, (player, known, kind, element)
        self.run("dh_nui")
        self.nui_event = before

    def answer(self, request: Request, good: bool, **data: str) -> None:
        event = "NWNX_ON_HTTPCLIENT_SUCCESS" if good else "NWNX_ON_HTTPCLIENT_FAILED"
        self.http_event = {"REQUEST_ID": str(request.id), "event": event, **data}
        self.run(self.subscribed[event])

    # -- objects ---------------------------------------------------------------------------------------

    def found(self, of: Object) -> Thing:
        return self.things[of.id]

    def shown(self, thing: Thing | None) -> Object:
        return Object.INVALID if thing is None else Object(thing.id)

    def GetModule(self) -> Object:
        return self.shown(self.module)

    def GetFirstPC(self) -> Object:
        self.looked_at = 0
        return self.GetNextPC()

    def GetNextPC(self) -> Object:
        self.looked_at += 1
        at = self.looked_at - 1
        return self.shown(self.players[at] if at < len(self.players) else None)

    def GetArea(self, of: Object) -> Object:
        return self.shown(self.found(of).area)

    def GetExitingObject(self) -> Object:
        return self.shown(self.exiting)

    def GetLastUsedBy(self) -> Object:
        return self.shown(self.used_by)

    def GetSittingCreature(self, chair: Object) -> Object:
        sitting = [player for player in self.players if player.sits_on is self.found(chair)]
        return self.shown(sitting[0] if sitting else None)

    def GetObjectByTag(self, tag: str, nth: int) -> Object:
        tagged = [thing for thing in self.things.values() if thing.tag == tag]
        return self.shown(tagged[nth] if nth < len(tagged) else None)

    def GetPosition(self, of: Object) -> Any:
        return Vector(*self.found(of).position)

    def GetIsObjectValid(self, of: Object) -> int:
        return int(of.id in self.things)

    def GetIsPC(self, of: Object) -> int:
        return int(self.found(of) in self.players)

    def GetName(self, of: Object, original: int) -> str:
        return self.found(of).name

    def GetResRef(self, of: Object) -> str:
        return self.found(of).name

    def GetPCPublicCDKey(self, of: Object, single: int) -> str:
        return f"KEY{of.id}"

    def SetEventScript(self, of: Object, handler: int, script: str) -> int:
        self.found(of).scripts[handler] = script
        return 1

    def SendMessageToPC(self, to: Object, text: str) -> None:
        if to.id in self.things:
            self.found(to).messages.append(text)

    def AssignCommand(self, to: Object, action: Any) -> None:
        assert self.used_by is not None
        self.used_by.sits_on = self.things.get(self.used_by.locals.get("walks to", 0), self.used_by.sits_on)

    def ActionSit(self, chair: Object) -> None:
        raise AssertionError("only as an assigned command")

    def DelayCommand(self, seconds: float, action: Any) -> None:
        assert seconds > 0
        self.delayed.append((self.running, action.ip))

    # -- values ----------------------------------------------------------------------------------------

    def GetRandomUUID(self) -> str:
        return f"uuid-{next(self.ids)}"

    def IntToString(self, number: int) -> str:
        return str(number)

    def fabs(self, number: float) -> float:
        return abs(number)

    def WriteTimestampedLogEntry(self, text: str) -> None:
        self.log.append(text)

    def GetLocalInt(self, of: Object, name: str) -> int:
        return int(self.found(of).locals.get(f"int {name}", 0))

    def GetLocalString(self, of: Object, name: str) -> str:
        return str(self.found(of).locals.get(f"string {name}", ""))

    def GetLocalObject(self, of: Object, name: str) -> Object:
        return Object(self.found(of).locals.get(f"object {name}", Object.INVALID.id))

    def GetLocalJson(self, of: Object, name: str) -> Object:
        return self.json(self.found(of).locals.get(f"json {name}"))

    def SetLocalInt(self, of: Object, name: str, value: int) -> None:
        self.found(of).locals[f"int {name}"] = value

    def SetLocalString(self, of: Object, name: str, value: str) -> None:
        self.found(of).locals[f"string {name}"] = value

    def SetLocalObject(self, of: Object, name: str, value: Object) -> None:
        self.found(of).locals[f"object {name}"] = value.id

    def SetLocalJson(self, of: Object, name: str, value: Object) -> None:
        self.found(of).locals[f"json {name}"] = self.value(value)

    def DeleteLocalInt(self, of: Object, name: str) -> None:
        self.found(of).locals.pop(f"int {name}", None)

    def DeleteLocalString(self, of: Object, name: str) -> None:
        self.found(of).locals.pop(f"string {name}", None)

    def DeleteLocalObject(self, of: Object, name: str) -> None:
        self.found(of).locals.pop(f"object {name}", None)

    # -- JSON ------------------------------------------------------------------------------------------

    def json(self, value: Any) -> Object:
        if value is None:
            return Object.INVALID
        id = 0x10000000 + next(self.ids)
        self.values[id] = value
        return Object(id)

    def value(self, of: Object) -> Any:
        return self.values.get(of.id)

    def JsonParse(self, text: str) -> Object:
        try:
            return self.json(json.loads(text))
        except ValueError:
            return Object.INVALID

    def JsonDump(self, of: Object, indent: int) -> str:
        return json.dumps(self.value(of))

    def JsonGetLength(self, of: Object) -> int:
        value = self.value(of)
        return 0 if value is None else len(value) if isinstance(value, dict | list) else 1

    def JsonObject(self) -> Object:
        return self.json({})

    def JsonArray(self) -> Object:
        return self.json([])

    def JsonString(self, value: str) -> Object:
        return self.json(value)

    def JsonInt(self, value: int) -> Object:
        return self.json(value)

    def JsonGetString(self, of: Object) -> str:
        value = self.value(of)
        return value if isinstance(value, str) else ""

    def JsonGetInt(self, of: Object) -> int:
        value = self.value(of)
        return int(value) if isinstance(value, int | float) else 0

    def JsonGetFloat(self, of: Object) -> float:
        value = self.value(of)
        return float(value) if isinstance(value, int | float) else 0.0

    def JsonObjectKeys(self, of: Object) -> Object:
        return self.json(list(self.value(of) or {}))

    def JsonObjectGet(self, of: Object, key: str) -> Object:
        value = self.value(of)
        return self.json(value.get(key) if isinstance(value, dict) else None)

    def JsonObjectSet(self, of: Object, key: str, value: Object) -> Object:
        return self.json({**self.value(of), key: self.value(value)})

    def JsonArrayGet(self, of: Object, at: int) -> Object:
        value = self.value(of) or []
        return self.json(value[at] if 0 <= at < len(value) else None)

    def JsonArrayInsert(self, of: Object, value: Object, at: int) -> Object:
        return self.json([*self.value(of), self.value(value)])

    def JsonArrayDel(self, of: Object, at: int) -> Object:
        return self.json([value for number, value in enumerate(self.value(of)) if number != at])

    # -- NUI -------------------------------------------------------------------------------------------

    def NuiCreate(self, player: Object, nui: Object, id: str) -> int:
        thing = self.found(player)
        token: int = next(self.ids)
        thing.windows = {known: window for known, window in thing.windows.items() if window.id != id}
        thing.windows[token] = NuiWindow(token, id, self.value(nui))
        return token

    def NuiDestroy(self, player: Object, token: int) -> None:
        self.found(player).windows.pop(token, None)

    def NuiSetBind(self, player: Object, token: int, name: str, value: Object) -> None:
        thing = self.found(player)
        window = thing.windows.get(token)
        if window is not None:
            window.binds[name] = self.value(value)
            if name in window.watched:
                self.nui(thing, window.id, "watch", name)  # as the game does it, at once

    def NuiSetBindWatch(self, player: Object, token: int, name: str, watch: int) -> int:
        self.found(player).windows[token].watched.add(name)
        return 1

    def NuiGetBind(self, player: Object, token: int, name: str) -> Object:
        return self.json(self.found(player).windows[token].binds[name])

    def NuiGetWindowId(self, player: Object, token: int) -> str:
        window = self.found(player).windows.get(token)
        return "" if window is None else window.id

    def NuiGetEventPlayer(self) -> Object:
        return self.shown(self.event[0])

    def NuiGetEventWindow(self) -> int:
        return self.event[1].token

    def NuiGetEventType(self) -> str:
        return self.event[2]

    def NuiGetEventElement(self) -> str:
        return self.event[3]

    def NuiGetEventArrayIndex(self) -> int:
        return -1

    @property
    def event(self) -> tuple[Thing, NuiWindow, str, str]:
        assert self.nui_event is not None
        return self.nui_event

    # -- NWNX ------------------------------------------------------------------------------------------

    def TestSubscribe(self, event: str, script: str) -> None:
        self.subscribed[event] = script

    def TestEventData(self, tag: str) -> str:
        return self.http_event.get(tag, "")

    def TestCurrentEvent(self) -> str:
        return self.http_event["event"]

    def TestEnvironment(self, name: str) -> str:
        return self.secret if name == "DICEHALL_VENUE_SECRET" else ""

    def TestSendRequest(self, method: int, host: str, port: int, path: str, data: str, auth: int, token: str) -> int:
        assert (host, port, auth) == ("dice.example.org", 443, 3)
        request = Request(next(self.ids), ("GET", "POST")[method], path, data, token)
        self.requests.append(request)
        return request.id


Handler = Callable[[Request], Any]
