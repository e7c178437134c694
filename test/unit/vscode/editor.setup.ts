import { registerHooks } from 'node:module';

const editor = new URL('editor.ts', import.meta.url).href;

// Only the editor has the module `vscode`.
registerHooks({
	resolve: (name, context, next) =>
		name === 'vscode' ? { url: editor, shortCircuit: true } : next(name, context),
});
