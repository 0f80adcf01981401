// OnHeartbeat of the module, or called from it: notices who has left a chair.

#include "dh_inc"

void main()
{
    object oPC = GetFirstPC();
    while (GetIsObjectValid(oPC))
    {
        DhCheckChair(oPC);
        oPC = GetNextPC();
    }
}
