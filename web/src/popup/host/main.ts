// The entry point for pages of apps: adds the frame with the questions to any page of the server.

import { QuestionFrame } from "./frame";

function start(): void {
  if (customElements.get("ui-popup") !== undefined) return; // the script was loaded twice
  customElements.define("ui-popup", QuestionFrame);
  // Pages are at 127.0.0.1 and questions at localhost: the same server, but another origin.
  document.body.append(new QuestionFrame(`${location.protocol}//localhost${location.port === "" ? "" : `:${location.port}`}`));
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
