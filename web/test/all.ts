// All unit tests, as one script.

import "./data.test";
import "./match.test";
import "./outbox.test";
import "./wire.test";
import "./popup.test";
import "./answerfiles.test";
import "./questions.test";
import "./leaving.test";
import "./relay.test";
import "./sources.test";
import "./terminallink.test";
import "./terminals.test";
import "./hosts.test";
import "./feed.test";
import "./terminal.test";
import { finish } from "./harness";

void finish();
