// The page for strangers, who may be signed in after all.

import { returnIfSignedIn } from "../account/hint.js";

returnIfSignedIn();
