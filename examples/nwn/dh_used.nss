// OnUsed of chairs and observer spots; dh_load sets it.

#include "dh_inc"

void main()
{
    object oPC = GetLastUsedBy();
    if (!GetIsPC(oPC))
    {
        return;
    }
    if (GetLocalString(OBJECT_SELF, "dh_use") == "chair")
    {
        DhUseChair(oPC, OBJECT_SELF);
    }
    else
    {
        DhQueue(DhAtObject(DhEvent("observer_used", oPC), OBJECT_SELF));
    }
}
