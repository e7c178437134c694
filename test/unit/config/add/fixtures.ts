import { type Pasted, readPasted } from '../../../../src/config/add/pasted.ts';
import {
	type MissingInput,
	type Proposal,
	planAddition,
	proposalOf,
} from '../../../../src/config/add/proposal.ts';
import type { ServerDraft } from '../../../../src/config/add/serverDraft.ts';
import type { ImportPlan } from '../../../../src/config/import/importPlan.ts';
import type { VariableScope } from '../../../../src/config/secrets/variables.ts';

/** Invented, in the form of a real key. */
export const githubToken = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
/** The answer to a question for a secret. */
export const givenSecret = 'acme-9f8e7d6c5b4a3928';

export const scope: VariableScope = { workspaceFolder: '/work', env: { HOME: '/home/ada', SET: 'x' } };

export function pasted(text: string): Pasted {
	return readPasted(text);
}

/** The one server that a text names. */
export function only({ servers, faults }: Pasted): ServerDraft {
	const [server] = servers;
	if (!server || servers.length > 1) throw new Error(`${servers.length} servers: ${faults.join(' ')}`);
	return server;
}

/** The proposal for the only server of a text. */
export function proposed(text: string): Proposal {
	return proposalOf(only(pasted(text)), scope);
}

/** Adds a server to a new configuration, with the default answer to every question. */
export function addition(proposal: Proposal, answers: Readonly<Record<string, string>> = {}): ImportPlan {
	const usual = proposal.inputs
		.filter(({ isRequired }) => isRequired)
		.map((input) => [input.id, input.isSecret ? givenSecret : (input.default ?? 'given')] as const);
	const all = new Map([...usual, ...Object.entries(answers)]);
	const choice = { name: proposal.draft.name, answers: all };
	const plan = planAddition(proposal, choice, undefined, { scope, platform: 'linux' });
	if (!plan) throw new Error('it cannot be added');
	return plan;
}

/** `NAME*` is secret, `NAME?` is optional. */
export function inputText({ id, isSecret, isRequired, default: byDefault, choices }: MissingInput): string {
	const list = choices ? `[${choices.map(({ value }) => value).join()}]` : '';
	return `${id}${isSecret ? '*' : ''}${isRequired ? '' : '?'}${byDefault ? `=${byDefault}` : ''}${list}`;
}

/** What is asked, what is written, and which secrets are stored, on separate lines. */
export function told(found: ServerDraft): string {
	const proposal = proposalOf(found, scope);
	const { servers, secrets } = addition(proposal);
	const [planned] = servers;
	const { env, headers, transport } = planned?.server.entry ?? {};
	const more = [env, headers, transport].filter((one) => one !== undefined).map((one) => JSON.stringify(one));
	return [
		[`${planned?.name}: ${planned?.runs}`, ...more].join(' '),
		...(proposal.inputs.length > 0 ? [`asks ${proposal.inputs.map(inputText).join(' ')}`] : []),
		...(secrets.length > 0 ? [`keeps ${secrets.map(({ name }) => name).join(' ')}`] : []),
	].join('; ');
}
