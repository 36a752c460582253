// The pages for strangers, / and /account: signing in.

import { byId } from "../dom.js";
import { startForm } from "./form.js";
import { returnIfSignedIn, whoIsSignedIn } from "./hint.js";
import { startLink, takeLink } from "./link.js";

const linked = byId("signin-link") !== null && takeLink();
startForm();
if (byId("signin-link") !== null) startLink(whoIsSignedIn);
if (!linked) returnIfSignedIn();
