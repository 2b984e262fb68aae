// The page of terminals.

import { App } from "./app";

new App().start();
