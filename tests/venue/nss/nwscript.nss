// The engine functions that the sample scripts use, with their real signatures, and nothing else: the game's own
// nwscript.nss is not ours to ship. What is compiled with this file runs only on the engine of the tests.

#define ENGINE_NUM_STRUCTURES   8
#define ENGINE_STRUCTURE_0      effect
#define ENGINE_STRUCTURE_1      event
#define ENGINE_STRUCTURE_2      location
#define ENGINE_STRUCTURE_3      talent
#define ENGINE_STRUCTURE_4      itemproperty
#define ENGINE_STRUCTURE_5      sqlquery
#define ENGINE_STRUCTURE_6      cassowary
#define ENGINE_STRUCTURE_7      json

int TRUE = 1;
int FALSE = 0;
int EVENT_SCRIPT_PLACEABLE_ON_DEATH = 9002;
int EVENT_SCRIPT_PLACEABLE_ON_USED = 9012;

void AssignCommand(object oActionSubject, action aActionToAssign);
void DelayCommand(float fSeconds, action aActionToDelay);
void ActionSit(object oChair);
object GetModule();
object GetFirstPC();
object GetNextPC();
object GetArea(object oTarget);
object GetExitingObject();
object GetLastUsedBy();
object GetSittingCreature(object oChair);
object GetObjectByTag(string sTag, int nNth=0);
vector GetPosition(object oTarget);
int GetIsObjectValid(object oObject);
int GetIsPC(object oCreature);
string GetName(object oObject, int bOriginalName=FALSE);
string GetResRef(object oObject);
string GetPCPublicCDKey(object oPlayer, int nSinglePlayerCDKey=FALSE);
string GetRandomUUID();
string IntToString(int nInteger);
float fabs(float fValue);
int SetEventScript(object oObject, int nHandler, string sScript);
void SendMessageToPC(object oPlayer, string szMessage);
void WriteTimestampedLogEntry(string sLogEntry);
int GetLocalInt(object oObject, string sVarName);
string GetLocalString(object oObject, string sVarName);
object GetLocalObject(object oObject, string sVarName);
json GetLocalJson(object oObject, string sVarName);
void SetLocalInt(object oObject, string sVarName, int nValue);
void SetLocalString(object oObject, string sVarName, string sValue);
void SetLocalObject(object oObject, string sVarName, object oValue);
void SetLocalJson(object oObject, string sVarName, json jValue);
void DeleteLocalInt(object oObject, string sVarName);
void DeleteLocalString(object oObject, string sVarName);
void DeleteLocalObject(object oObject, string sVarName);
json JsonParse(string sJson);
string JsonDump(json jValue, int nIndent = -1);
int JsonGetLength(json jValue);
json JsonObject();
json JsonArray();
json JsonString(string sValue);
json JsonInt(int nValue);
string JsonGetString(json jValue);
int JsonGetInt(json jValue);
float JsonGetFloat(json jValue);
json JsonObjectKeys(json jObject);
json JsonObjectGet(json jObject, string sKey);
json JsonObjectSet(json jObject, string sKey, json jValue);
json JsonArrayGet(json jArray, int nIndex);
json JsonArrayInsert(json jArray, json jValue, int nIndex = -1);
json JsonArrayDel(json jArray, int nIndex);
int NuiCreate(object oPlayer, json jNui, string sWindowId = "");
void NuiDestroy(object oPlayer, int nUiToken);
object NuiGetEventPlayer();
int NuiGetEventWindow();
string NuiGetEventType();
string NuiGetEventElement();
int NuiGetEventArrayIndex();
string NuiGetWindowId(object oPlayer, int nUiToken);
json NuiGetBind(object oPlayer, int nUiToken, string sBindName);
void NuiSetBind(object oPlayer, int nUiToken, string sBindName, json jValue);
int NuiSetBindWatch(object oPlayer, int nUiToken, string sBind, int bWatch);
// Stand-ins of the tests for what NWNX:EE does inside the includes below.
void TestSubscribe(string sEvent, string sScript);
string TestEventData(string sTag);
string TestCurrentEvent();
string TestEnvironment(string sName);
int TestSendRequest(int nMethod, string sHost, int nPort, string sPath, string sData, int nAuthType, string sToken);
