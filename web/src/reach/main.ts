// The entry point of the script in plain pages, which have no other.

import { reach } from "../dom/reach";

reach();
