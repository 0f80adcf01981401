"""Many tables, and the people at them."""
