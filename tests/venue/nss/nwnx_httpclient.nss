// The part of NWNX:EE's include that the sample scripts use, on the engine of the tests.

const int NWNX_HTTPCLIENT_REQUEST_METHOD_GET = 0;
const int NWNX_HTTPCLIENT_REQUEST_METHOD_POST = 1;
const int NWNX_HTTPCLIENT_CONTENT_TYPE_JSON = 2;
const int NWNX_HTTPCLIENT_AUTH_TYPE_BEARER_TOKEN = 3;

struct NWNX_HTTPClient_Request
{
    int nRequestMethod;
    string sTag;
    string sHost;
    string sPath;
    string sData;
    int nContentType;
    int nAuthType;
    string sAuthUserOrToken;
    string sAuthPassword;
    int nPort;
    string sHeaders;
};

int NWNX_HTTPClient_SendRequest(struct NWNX_HTTPClient_Request s)
{
    return TestSendRequest(s.nRequestMethod, s.sHost, s.nPort, s.sPath, s.sData, s.nAuthType, s.sAuthUserOrToken);
}
