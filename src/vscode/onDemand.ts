/**
 * What commands of the user need, loaded together when the first of them is used: who never uses one never pays, and the package does
 * not fall into a hundred small files.
 */
export * as configEdits from '../config/edit.ts';
export * as configReversal from '../config/reversal.ts';
export { filterTools, sortTools } from './commands/arranging.ts';
export { createConfig, openGuide, openWalkthrough } from './commands/firstSteps.ts';
export { saveToolset, selectToolset } from './commands/toolsets.ts';
export { SearchEvaluator } from './evaluation/searchEvaluator.ts';
export { importServers } from './import/importServers.ts';
export { manageSecrets } from './keys/manageSecrets.ts';
export { setApiKey } from './keys/setApiKey.ts';
export * as acceptance from './pins/acceptance.ts';
export { saveResult } from './run/result/saveResult.ts';
export { ToolRunner } from './run/toolRunner.ts';
export { ToolPicker } from './search/toolPicker.ts';
export { ReviewPage } from './trust/reviewPage.ts';
