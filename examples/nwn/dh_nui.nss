// OnNuiEvent of the module, or called from it.

#include "dh_inc"

void main()
{
    DhNuiEvent();
}
