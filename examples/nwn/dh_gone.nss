// OnDeath of tables, chairs and observer spots; dh_load sets it.

#include "dh_inc"

void main()
{
    json jEvent = JsonObjectSet(JsonObject(), "type", JsonString("placeable_destroyed"));
    DhQueue(DhAtObject(jEvent, OBJECT_SELF));
}
