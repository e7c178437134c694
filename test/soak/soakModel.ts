import { LLMock } from '@copilotkit/aimock';
import type { ChatModel } from '../../src/models/chatModel.ts';
import { createModel } from '../../src/models/createModel.ts';
import { OfflinePlanner } from '../../src/models/planner/offlinePlanner.ts';
import type { Endpoint } from '../../src/models/provider.ts';

/** What a model says in one round: calls, or a text that ends the turn. */
export type Round = readonly { readonly name: string; readonly input: object }[] | string;

export interface SoakModel extends AsyncDisposable {
	readonly model: ChatModel;
	/** Takes the place of what was left unsaid; forgets what it was asked before, which is no growth of ours. */
	script(rounds: readonly Round[]): void;
}

/** OpenAI's provider SDK against an endpoint on loopback that says what a step wrote down. */
export async function startSoakModel(): Promise<SoakModel> {
	let rounds: Round[] = [];
	let id = 0;
	const mock = new LLMock({ port: 0, logLevel: 'silent' });
	mock.on(
		{ predicate: () => true },
		() => {
			const round = rounds.shift() ?? 'I have nothing more to say.';
			if (typeof round === 'string') return { content: round };
			return {
				toolCalls: round.map(({ name, input }) => {
					id += 1;
					return { id: `call_${id}`, name, arguments: JSON.stringify(input) };
				}),
			};
		},
		{ chunkSize: 32 },
	);
	await mock.start();
	const endpoint: Endpoint = {
		name: 'openai',
		provider: 'openai',
		baseUrl: `${mock.url}/v1`,
		key: async () => 'none',
	};
	const settings = {
		id: 'soak',
		name: 'Soak',
		images: false,
		contextTokens: 32_768,
		maxOutputTokens: 1_024,
	};
	return {
		model: await createModel({ ...settings, model: 'gpt-4.1', api: 'chat' }, endpoint),
		script: (next) => {
			rounds = [...next];
			mock.clearRequests();
		},
		[Symbol.asyncDispose]: () => mock.stop(),
	};
}

/** The offline planner, in no workspace. */
export function planner(): ChatModel {
	return new OfflinePlanner(() => undefined, String);
}
