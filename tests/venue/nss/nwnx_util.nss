// The part of NWNX:EE's include that the sample scripts use, on the engine of the tests.

string NWNX_Util_GetEnvironmentVariable(string sVarname)
{
    return TestEnvironment(sVarname);
}
