/**
 * What the user asks for with commands, loaded together when the first of them is used: who never uses one never pays, and the package does
 * not fall into a hundred small files.
 */
export { commandHandlers } from './commands/commands.ts';
export { saveResult } from './run/result/saveResult.ts';
export { ToolRunner } from './run/toolRunner.ts';
