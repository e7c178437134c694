/**
 * What the user asks for with commands, loaded together when the first of them is used: who never uses one never pays, and the package does
 * not fall into a hundred small files.
 */
export { commandHandlers } from './commands/commands.ts';
export { HandRun } from './run/handRun.ts';
export { saveResult } from './run/resultFiles.ts';
