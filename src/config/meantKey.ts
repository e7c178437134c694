import { nearestName, slipOfThePen } from '../discovery/nearestName.ts';

/** What other programs, and people, call our keys. Some are nearer by their letters to a key that they do not mean (`cmd`, `cwd`). */
const otherWords: Readonly<Record<string, readonly string[]>> = {
	command: ['cmd', 'program', 'executable', 'exec', 'run'],
	args: ['arguments', 'argv', 'params', 'parameters'],
	env: ['environment', 'environmentvariables', 'envvars', 'variables'],
	cwd: ['workingdirectory', 'workingdir', 'workdir', 'directory', 'dir', 'folder'],
	url: ['uri', 'address', 'endpoint', 'href', 'serverurl', 'httpurl', 'sseurl'],
	headers: ['requestheaders', 'httpheaders'],
	transport: ['transporttype', 'protocol'],
	defer_loading: ['deferred', 'defer', 'deferloading'],
	pinned: ['pin', 'alwaysload', 'alwaysloaded'],
	base_url: ['url', 'endpoint', 'apibase', 'host', 'address'],
	provider: ['type', 'kind', 'vendor'],
	model: ['name', 'id', 'modelname', 'modelid'],
	context_tokens: ['contextwindow', 'contextlength', 'maxcontexttokens', 'numctx'],
	max_output_tokens: ['maxtokens', 'maxcompletiontokens', 'outputtokens'],
	tool_sets: ['toolsets', 'sets'],
};

/** The key that an unknown one was probably meant to be, if any is near enough. */
export function meantKey(written: string, known: readonly string[]): string | undefined {
	const letters = written.toLowerCase().replace(/[_-]/g, '');
	return (
		known.find((key) => Object.hasOwn(otherWords, key) && otherWords[key]?.includes(letters)) ??
		nearestName(written, known, slipOfThePen)
	);
}
