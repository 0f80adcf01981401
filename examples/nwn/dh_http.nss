// An answer of the Dicehall server; dh_load subscribes it.

#include "dh_inc"

void main()
{
    DhHttpEvent();
}
