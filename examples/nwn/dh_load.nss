// OnModuleLoad, or called from it: finds the tables and listens to the server's answers.
// To call it from a script of your own: ExecuteScript("dh_load", GetModule());

#include "dh_inc"

void main()
{
    NWNX_Events_SubscribeEvent("NWNX_ON_HTTPCLIENT_SUCCESS", "dh_http");
    NWNX_Events_SubscribeEvent("NWNX_ON_HTTPCLIENT_FAILED", "dh_http");
    // Nobody sits anywhere any more, and what was destroyed is there again: the tables are asked for after that.
    DhQueue(JsonObjectSet(JsonObject(), "type", JsonString("module_loaded")));
    DhAskForTables();
}
