// OnClientLeave of the module, or called from it.

#include "dh_inc"

void main()
{
    object oPC = GetExitingObject();
    if (GetLocalString(oPC, "dh_key") != "") // has used something of ours
    {
        DhQueue(DhEvent("player_left", oPC));
    }
}
