import { readPasted } from '../../../../src/config/add/pasted.ts';
import {
	type Proposal,
	planAddition,
	proposalOf,
	withPlacesAsInputs,
} from '../../../../src/config/add/proposal.ts';
import { launchText, type ServerDraft } from '../../../../src/config/add/serverDraft.ts';
import type { ImportPlan } from '../../../../src/config/import/importPlan.ts';
import type { VariableScope } from '../../../../src/config/secrets/variables.ts';

/** The answer to a question for a secret. */
export const givenSecret = 'acme-9f8e7d6c5b4a3928';

export const scope: VariableScope = {
	file: 'file:///work/casual_mcp_config.json',
	workspaceFolder: '/work',
	env: { HOME: '/home/ada', SET: 'x' },
};

/** The proposal for the only server of a text. */
export function proposed(text: string): Proposal {
	const { servers, faults } = readPasted(text);
	const [server] = servers;
	if (!server || servers.length > 1) throw new Error(`${servers.length} servers: ${faults.join(' ')}`);
	return proposalOf([withPlacesAsInputs(server)], { scope, platform: 'linux' });
}

/** Adds a server to a new configuration, with the default answer to every question. */
export function addition(proposal: Proposal, answers: Readonly<Record<string, string>> = {}): ImportPlan {
	const required = [...proposal.questions].filter(([, { optional }]) => !optional);
	const usual = required.map(([key, input]): [string, string] => [
		key,
		input.password ? givenSecret : (input.default ?? 'given'),
	]);
	const given = Object.entries(answers).map(([id, answer]): [string, string] => [`input:${id}`, answer]);
	const plan = planAddition(proposal, new Map([...usual, ...given]), undefined, { scope, platform: 'linux' });
	if (!plan) throw new Error('it cannot be added');
	return plan;
}

/** What is asked: `NAME*` is secret, `NAME?` is optional. */
export function askedBy({ questions }: Proposal): readonly string[] {
	return [...questions].map(([key, { password, optional, default: byDefault, options }]) => {
		const list = options ? `[${options.map(({ value }) => value).join()}]` : '';
		const name = key.slice(key.indexOf(':') + 1);
		return `${name}${password ? '*' : ''}${optional ? '?' : ''}${byDefault ? `=${byDefault}` : ''}${list}`;
	});
}

/** What is asked, what is written, and which secrets are stored, on separate lines. */
export function told(found: ServerDraft): string {
	const proposal = proposalOf([withPlacesAsInputs(found)], { scope, platform: 'linux' });
	const { servers, secrets } = addition(proposal);
	const [planned] = servers;
	if (!planned) throw new Error('one server is planned');
	const { entry } = planned.server;
	const { env, headers, transport } = entry;
	const more = [env, headers, transport].filter((one) => one !== undefined).map((one) => JSON.stringify(one));
	return [
		[`${planned.name}: ${launchText(entry)}`, ...more].join(' '),
		...(proposal.questions.size > 0 ? [`asks ${askedBy(proposal).join(' ')}`] : []),
		...(secrets.length > 0 ? [`keeps ${secrets.map(({ name }) => name).join(' ')}`] : []),
	].join('; ');
}
