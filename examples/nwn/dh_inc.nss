// Dicehall for Neverwinter Nights: tables of Aetharn in a module.
//
// The module tells a Dicehall server what players do at chairs, observer spots and windows, and does what the server
// answers: it creates windows, changes what they show, and sends messages. No rule of the game is in these scripts.
// They need Neverwinter Nights: Enhanced Edition with NWNX:EE and its plugins Events, HTTPClient and Util.
// How to use them: docs/venue.md of Dicehall.

#include "nwnx_events"
#include "nwnx_httpclient"
#include "nwnx_util"

const string DH_HOST = "dice.example.org"; // where the Dicehall server is reached, over HTTPS
const int DH_PORT = 443;
const string DH_SECRET = "DICEHALL_VENUE_SECRET"; // the environment variable of nwserver that holds the secret

const string DH_PLAYER_WINDOW = "aetharn";
const string DH_SPECTATOR_WINDOW = "aetharnwatch";

const float DH_POLL_SECONDS = 1.0;
const float DH_RETRY_SECONDS = 3.0;
const int DH_MOST_QUEUED = 200; // events that wait while the server cannot be reached
const int DH_MOST_OF_ONE = 12;  // of them, what one player does in windows and at chairs
const int DH_BEATS_TO_SIT = 3;  // heartbeats that somebody may need to walk to a chair
const float DH_NEAR = 0.1;      // metres

// -- Requests -------------------------------------------------------------------------------------------------

// sTag says what the answer is for: "tables", "event" or "poll".
void DhRequest(int nMethod, string sTag, string sPath, string sData = "")
{
    struct NWNX_HTTPClient_Request stRequest;
    stRequest.nRequestMethod = nMethod;
    stRequest.sTag = "dicehall";
    stRequest.sHost = DH_HOST;
    stRequest.nPort = DH_PORT;
    stRequest.sPath = sPath;
    stRequest.sData = sData;
    stRequest.nContentType = NWNX_HTTPCLIENT_CONTENT_TYPE_JSON;
    stRequest.nAuthType = NWNX_HTTPCLIENT_AUTH_TYPE_BEARER_TOKEN;
    stRequest.sAuthUserOrToken = NWNX_Util_GetEnvironmentVariable(DH_SECRET);
    int nRequest = NWNX_HTTPClient_SendRequest(stRequest);
    SetLocalString(GetModule(), "dh_request_" + IntToString(nRequest), sTag);
}

void DhAskForTables()
{
    DhRequest(NWNX_HTTPCLIENT_REQUEST_METHOD_GET, "tables", "/nwn/tables");
}

// -- Players --------------------------------------------------------------------------------------------------

// One key, one account. It is kept on the player, because a player who is leaving has no CD key any more.
string DhKey(object oPC)
{
    string sKey = GetLocalString(oPC, "dh_key");
    if (sKey == "")
    {
        sKey = GetPCPublicCDKey(oPC, TRUE) + "/" + GetName(oPC);
        SetLocalString(oPC, "dh_key", sKey);
    }
    return sKey;
}

object DhPlayer(string sKey)
{
    object oPC = GetFirstPC();
    while (GetIsObjectValid(oPC))
    {
        if (DhKey(oPC) == sKey)
        {
            return oPC;
        }
        oPC = GetNextPC();
    }
    return OBJECT_INVALID;
}

// Whether anybody has, or has closed, a window of ours: only then there is something to ask for.
int DhIsAnybodyThere()
{
    object oPC = GetFirstPC();
    while (GetIsObjectValid(oPC))
    {
        if (GetLocalInt(oPC, DH_PLAYER_WINDOW) != 0 || GetLocalInt(oPC, DH_SPECTATOR_WINDOW) != 0)
        {
            return TRUE;
        }
        oPC = GetNextPC();
    }
    return FALSE;
}

// -- Events ---------------------------------------------------------------------------------------------------

// Events are posted one at a time, so that they arrive in their order; one that got no answer is posted again with the
// same id, which the server knows and does not take for a second event.
void DhSendNext()
{
    object oModule = GetModule();
    json jQueue = GetLocalJson(oModule, "dh_queue");
    if (GetLocalInt(oModule, "dh_sending") || JsonGetLength(jQueue) == 0)
    {
        return;
    }
    json jEvent = JsonArrayGet(jQueue, 0);
    string sSince = GetLocalString(oModule, "dh_next");
    if (sSince == "")
    {
        sSince = "none"; // no cursor of this server: everything is sent anew
    }
    jEvent = JsonObjectSet(jEvent, "since", JsonString(sSince));
    SetLocalInt(oModule, "dh_sending", TRUE);
    DhRequest(NWNX_HTTPCLIENT_REQUEST_METHOD_POST, "event", "/nwn/events", JsonDump(jEvent));
}

void DhSendAgain()
{
    DeleteLocalInt(GetModule(), "dh_sending");
    DhSendNext();
}

// Whether a player can do this as fast as they like. It is dropped where it is too much, or all others would have to
// wait; that somebody has left is never dropped.
int DhIsPlayful(json jEvent)
{
    string sType = JsonGetString(JsonObjectGet(jEvent, "type"));
    return sType == "click" || sType == "watch" || sType == "close" || sType == "chair_used" || sType == "observer_used";
}

string DhKeyOf(json jEvent)
{
    return JsonGetString(JsonObjectGet(JsonObjectGet(jEvent, "player"), "key"));
}

// How many events of one player wait.
int DhCountOf(json jQueue, string sKey)
{
    int nLength = JsonGetLength(jQueue);
    int nFound = 0;
    int nAt;
    for (nAt = 0; nAt < nLength; nAt++)
    {
        nFound += DhKeyOf(JsonArrayGet(jQueue, nAt)) == sKey;
    }
    return nFound;
}

void DhQueue(json jEvent)
{
    object oModule = GetModule();
    json jQueue = GetLocalJson(oModule, "dh_queue");
    if (JsonGetLength(jQueue) == 0)
    {
        jQueue = JsonArray();
    }
    if (DhIsPlayful(jEvent) && DhCountOf(jQueue, DhKeyOf(jEvent)) >= DH_MOST_OF_ONE)
    {
        return;
    }
    if (JsonGetLength(jQueue) >= DH_MOST_QUEUED)
    {
        WriteTimestampedLogEntry("Dicehall: too many events wait; one is lost.");
        return;
    }
    jEvent = JsonObjectSet(jEvent, "id", JsonString(GetRandomUUID()));
    SetLocalJson(oModule, "dh_queue", JsonArrayInsert(jQueue, jEvent));
    DhSendNext();
}

json DhEvent(string sType, object oPC)
{
    json jPlayer = JsonObjectSet(JsonObject(), "key", JsonString(DhKey(oPC)));
    jPlayer = JsonObjectSet(jPlayer, "name", JsonString(GetName(oPC)));
    json jEvent = JsonObjectSet(JsonObject(), "type", JsonString(sType));
    return JsonObjectSet(jEvent, "player", jPlayer);
}

json DhAtObject(json jEvent, object oObject)
{
    json jPayload = JsonObjectSet(JsonObject(), "area", JsonString(GetLocalString(oObject, "dh_area")));
    jPayload = JsonObjectSet(jPayload, "object", JsonString(GetLocalString(oObject, "dh_id")));
    return JsonObjectSet(jEvent, "payload", jPayload);
}

// -- Chairs ---------------------------------------------------------------------------------------------------

void DhUseChair(object oPC, object oChair)
{
    AssignCommand(oPC, ActionSit(oChair));
    SetLocalObject(oPC, "dh_chair", oChair);
    SetLocalInt(oPC, "dh_beats", DH_BEATS_TO_SIT);
    DhQueue(DhAtObject(DhEvent("chair_used", oPC), oChair));
}

// Called by the module's heartbeat for every player: somebody who got up has left the chair.
void DhCheckChair(object oPC)
{
    object oChair = GetLocalObject(oPC, "dh_chair");
    if (!GetIsObjectValid(oChair))
    {
        return;
    }
    if (GetSittingCreature(oChair) == oPC)
    {
        DeleteLocalInt(oPC, "dh_beats");
        return;
    }
    int nBeats = GetLocalInt(oPC, "dh_beats"); // left to walk there and sit down
    if (nBeats > 1)
    {
        SetLocalInt(oPC, "dh_beats", nBeats - 1);
        return;
    }
    DeleteLocalObject(oPC, "dh_chair");
    DhQueue(DhAtObject(DhEvent("chair_left", oPC), oChair));
}

// -- Windows --------------------------------------------------------------------------------------------------

void DhSetBinds(object oPC, int nToken, json jBinds)
{
    json jNames = JsonObjectKeys(jBinds);
    int nCount = JsonGetLength(jNames);
    int nAt;
    SetLocalInt(GetModule(), "dh_setting", TRUE); // to set a watched bind is an event, but nobody's
    for (nAt = 0; nAt < nCount; nAt++)
    {
        string sName = JsonGetString(JsonArrayGet(jNames, nAt));
        NuiSetBind(oPC, nToken, sName, JsonObjectGet(jBinds, sName));
    }
    DeleteLocalInt(GetModule(), "dh_setting");
}

void DhCreate(object oPC, string sWindow, json jCommand)
{
    int nToken = NuiCreate(oPC, JsonObjectGet(jCommand, "nui"), sWindow);
    SetLocalInt(oPC, sWindow, nToken);
    DhSetBinds(oPC, nToken, JsonObjectGet(jCommand, "binds"));
    json jWatch = JsonObjectGet(jCommand, "watch");
    int nCount = JsonGetLength(jWatch);
    int nAt;
    for (nAt = 0; nAt < nCount; nAt++)
    {
        NuiSetBindWatch(oPC, nToken, JsonGetString(JsonArrayGet(jWatch, nAt)), TRUE);
    }
}

void DhDestroy(object oPC, string sWindow)
{
    int nToken = GetLocalInt(oPC, sWindow);
    if (nToken > 0)
    {
        NuiDestroy(oPC, nToken);
    }
    DeleteLocalInt(oPC, sWindow);
}

void DhDestroyAll()
{
    object oPC = GetFirstPC();
    while (GetIsObjectValid(oPC))
    {
        DhDestroy(oPC, DH_PLAYER_WINDOW);
        DhDestroy(oPC, DH_SPECTATOR_WINDOW);
        oPC = GetNextPC();
    }
}

// The module's NUI event: what happens in one of our windows is posted.
void DhNuiEvent()
{
    object oPC = NuiGetEventPlayer();
    int nToken = NuiGetEventWindow();
    string sWindow = NuiGetWindowId(oPC, nToken);
    string sType = NuiGetEventType();
    int bOurs = sWindow == DH_PLAYER_WINDOW || sWindow == DH_SPECTATOR_WINDOW;
    if (!bOurs || GetLocalInt(oPC, sWindow) != nToken || GetLocalInt(GetModule(), "dh_setting"))
    {
        return;
    }
    if (sType != "click" && sType != "watch" && sType != "close")
    {
        return;
    }
    json jEvent = JsonObjectSet(DhEvent(sType, oPC), "window", JsonString(sWindow));
    string sElement = NuiGetEventElement();
    jEvent = JsonObjectSet(jEvent, "element", JsonString(sElement));
    jEvent = JsonObjectSet(jEvent, "index", JsonInt(NuiGetEventArrayIndex()));
    if (sType == "watch")
    {
        json jValue = NuiGetBind(oPC, nToken, sElement);
        jEvent = JsonObjectSet(jEvent, "payload", JsonObjectSet(JsonObject(), "value", jValue));
    }
    if (sType == "close")
    {
        SetLocalInt(oPC, sWindow, -1); // still at the table, and there are still messages to be read
    }
    DhQueue(jEvent);
}

// -- Commands -------------------------------------------------------------------------------------------------

void DhDo(json jCommand)
{
    object oPC = DhPlayer(JsonGetString(JsonObjectGet(jCommand, "player")));
    if (!GetIsObjectValid(oPC))
    {
        return; // has left meanwhile
    }
    string sOp = JsonGetString(JsonObjectGet(jCommand, "op"));
    string sWindow = JsonGetString(JsonObjectGet(jCommand, "window"));
    if (sOp == "create")
    {
        DhCreate(oPC, sWindow, jCommand);
    }
    else if (sOp == "bind")
    {
        DhSetBinds(oPC, GetLocalInt(oPC, sWindow), JsonObjectGet(jCommand, "binds"));
    }
    else if (sOp == "destroy")
    {
        DhDestroy(oPC, sWindow);
    }
    else if (sOp == "message")
    {
        SendMessageToPC(oPC, JsonGetString(JsonObjectGet(jCommand, "text")));
    }
}

// Do what an answer says, once: what was done already, because another answer was faster, is left out.
void DhApply(json jAnswer)
{
    object oModule = GetModule();
    int nDone = GetLocalInt(oModule, "dh_seq");
    int nSeq = JsonGetInt(JsonObjectGet(jAnswer, "seq"));
    if (JsonGetString(JsonObjectGet(jAnswer, "reset")) != "")
    {
        DhDestroyAll(); // the server was restarted, or we have missed too much: everything comes anew
        nDone = -1;
    }
    else if (nSeq <= nDone)
    {
        return;
    }
    json jCommands = JsonObjectGet(jAnswer, "commands");
    int nCount = JsonGetLength(jCommands);
    int nAt;
    for (nAt = 0; nAt < nCount; nAt++)
    {
        json jCommand = JsonArrayGet(jCommands, nAt);
        if (JsonGetInt(JsonObjectGet(jCommand, "seq")) > nDone)
        {
            DhDo(jCommand);
        }
    }
    SetLocalInt(oModule, "dh_seq", nSeq);
    SetLocalString(oModule, "dh_next", JsonGetString(JsonObjectGet(jAnswer, "next")));
}

// HTTPClient sends one request after the other, so a poll must not wait for anything: the events come behind it.
void DhPoll()
{
    object oModule = GetModule();
    if (!DhIsAnybodyThere())
    {
        DeleteLocalInt(oModule, "dh_polling");
        return;
    }
    SetLocalInt(oModule, "dh_polling", TRUE);
    string sSince = GetLocalString(oModule, "dh_next");
    DhRequest(NWNX_HTTPCLIENT_REQUEST_METHOD_GET, "poll", "/nwn/commands?wait=0&since=" + sSince);
}

void DhStartPolling()
{
    if (!GetLocalInt(GetModule(), "dh_polling") && DhIsAnybodyThere())
    {
        DhPoll();
    }
}

// -- Objects --------------------------------------------------------------------------------------------------

// The objects of a table share their tags, so the server names them by area and position.
object DhFindObject(json jSpot)
{
    string sTag = JsonGetString(JsonObjectGet(jSpot, "tag"));
    string sArea = JsonGetString(JsonObjectGet(jSpot, "area"));
    float fX = JsonGetFloat(JsonObjectGet(jSpot, "x"));
    float fY = JsonGetFloat(JsonObjectGet(jSpot, "y"));
    int nNth = 0;
    object oFound = GetObjectByTag(sTag, nNth);
    while (GetIsObjectValid(oFound))
    {
        vector vAt = GetPosition(oFound);
        int bNear = fabs(vAt.x - fX) < DH_NEAR && fabs(vAt.y - fY) < DH_NEAR;
        if (bNear && GetResRef(GetArea(oFound)) == sArea)
        {
            return oFound;
        }
        nNth = nNth + 1;
        oFound = GetObjectByTag(sTag, nNth);
    }
    return OBJECT_INVALID;
}

// sUse is "chair", "observer", or "" for a table, which nobody has to use.
void DhRegister(json jSpot, string sUse)
{
    object oObject = DhFindObject(jSpot);
    if (!GetIsObjectValid(oObject))
    {
        WriteTimestampedLogEntry("Dicehall: there is no " + JsonGetString(JsonObjectGet(jSpot, "id")));
        return;
    }
    SetLocalString(oObject, "dh_id", JsonGetString(JsonObjectGet(jSpot, "id")));
    SetLocalString(oObject, "dh_area", JsonGetString(JsonObjectGet(jSpot, "area")));
    SetLocalString(oObject, "dh_use", sUse);
    SetEventScript(oObject, EVENT_SCRIPT_PLACEABLE_ON_DEATH, "dh_gone");
    if (sUse != "")
    {
        SetEventScript(oObject, EVENT_SCRIPT_PLACEABLE_ON_USED, "dh_used");
    }
}

void DhRegisterAll(json jSpots, string sUse)
{
    int nCount = JsonGetLength(jSpots);
    int nAt;
    for (nAt = 0; nAt < nCount; nAt++)
    {
        DhRegister(JsonArrayGet(jSpots, nAt), sUse);
    }
}

void DhRegisterTables(json jAnswer)
{
    json jTables = JsonObjectGet(jAnswer, "tables");
    int nCount = JsonGetLength(jTables);
    int nAt;
    for (nAt = 0; nAt < nCount; nAt++)
    {
        json jTable = JsonArrayGet(jTables, nAt);
        json jPlaceable = JsonObjectGet(jTable, "table");
        if (JsonGetLength(jPlaceable) > 0)
        {
            DhRegister(jPlaceable, "");
        }
        DhRegisterAll(JsonObjectGet(jTable, "chairs"), "chair");
        DhRegisterAll(JsonObjectGet(jTable, "observers"), "observer");
    }
    WriteTimestampedLogEntry("Dicehall: " + IntToString(nCount) + " tables.");
}

// -- Answers --------------------------------------------------------------------------------------------------

// The first event of the queue is answered. Whoever is refused something reads why.
void DhAnswered(json jAnswer)
{
    object oModule = GetModule();
    json jQueue = GetLocalJson(oModule, "dh_queue");
    json jEvent = JsonArrayGet(jQueue, 0);
    SetLocalJson(oModule, "dh_queue", JsonArrayDel(jQueue, 0));
    DeleteLocalInt(oModule, "dh_sending");
    json jError = JsonObjectGet(jAnswer, "error");
    if (JsonGetLength(jError) > 0)
    {
        object oPC = DhPlayer(DhKeyOf(jEvent));
        SendMessageToPC(oPC, JsonGetString(JsonObjectGet(jError, "message")));
    }
    else
    {
        DhApply(jAnswer);
    }
    DhSendNext();
    DhStartPolling();
}

// An answer of the server, or none: the script of NWNX_ON_HTTPCLIENT_SUCCESS and NWNX_ON_HTTPCLIENT_FAILED.
void DhHttpEvent()
{
    object oModule = GetModule();
    string sRequest = "dh_request_" + NWNX_Events_GetEventData("REQUEST_ID");
    string sTag = GetLocalString(oModule, sRequest);
    if (sTag == "")
    {
        return; // somebody else's
    }
    DeleteLocalString(oModule, sRequest);
    int bGood = NWNX_Events_GetCurrentEvent() == "NWNX_ON_HTTPCLIENT_SUCCESS";
    json jAnswer = JsonParse(NWNX_Events_GetEventData("RESPONSE"));
    json jError = JsonObjectGet(jAnswer, "error");
    int bLater = JsonGetInt(JsonObjectGet(jError, "retry_after")) > 0
        && !DhIsPlayful(JsonArrayGet(GetLocalJson(oModule, "dh_queue"), 0));
    int bRefused = !bGood && JsonGetLength(jError) > 0 && !bLater;
    if (sTag == "event" && (bGood || bRefused))
    {
        DhAnswered(jAnswer);
    }
    else if (sTag == "event")
    {
        DelayCommand(DH_RETRY_SECONDS, DhSendAgain());
    }
    else if (sTag == "poll")
    {
        if (bGood)
        {
            DhApply(jAnswer);
        }
        DelayCommand(bGood ? DH_POLL_SECONDS : DH_RETRY_SECONDS, DhPoll());
    }
    else if (bGood)
    {
        DhRegisterTables(jAnswer);
    }
    else
    {
        DelayCommand(DH_RETRY_SECONDS, DhAskForTables());
    }
}
