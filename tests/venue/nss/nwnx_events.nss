// The part of NWNX:EE's include that the sample scripts use, on the engine of the tests.

void NWNX_Events_SubscribeEvent(string evt, string script)
{
    TestSubscribe(evt, script);
}

string NWNX_Events_GetEventData(string tag)
{
    return TestEventData(tag);
}

string NWNX_Events_GetCurrentEvent()
{
    return TestCurrentEvent();
}
