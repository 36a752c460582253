// The page /account for strangers: signing in.

import { startForm } from "./form.js";
import { returnIfSignedIn, whoIsSignedIn } from "./hint.js";
import { startLink, takeLink } from "./link.js";

const linked = takeLink();
startForm();
startLink(whoIsSignedIn);
if (!linked) returnIfSignedIn();
