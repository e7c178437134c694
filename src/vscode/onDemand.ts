/**
 * What commands do, loaded together with the first that is used: so the start does not pay for it, and the package does not fall into a
 * hundred small files.
 */
export { actionRunner } from './commands/runs.ts';
export { askUser } from './questions/askUser.ts';
export { ResourceBrowser } from './run/browseResources.ts';
export { HandRun } from './run/handRun.ts';
export { shownCall } from './run/result.ts';
export { saveResult } from './run/resultFiles.ts';
export { askConsent, askToSendHeader, askToSendKey, microsoftToken } from './secrets/keyDialogs.ts';
