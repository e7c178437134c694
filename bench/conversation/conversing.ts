import { runToolLoop } from '../../src/chat/toolLoop.ts';
import type { AnswerPart } from '../../src/discovery/catalog/message.ts';
import { DiscoverySession, type Loading, type ToolSurface, textResult } from '../../src/discovery/index.ts';
import type { ChatModel, ChatRequest } from '../../src/models/chatModel.ts';
import { type ScriptedTool, type ScriptedTurn, scriptedResult } from './script.ts';

/** Changes the session before a turn, by the turn's number. Returns the session to continue with. */
export type Happenings = ReadonlyMap<number, (session: DiscoverySession) => DiscoverySession>;

/** Every request of a scripted conversation, turn by turn, through the product's own session, log and loop. */
export async function requestsOf(
	script: readonly ScriptedTurn[],
	surface: ToolSurface,
	loading: Loading,
	happenings: Happenings = new Map(),
): Promise<ChatRequest[][]> {
	let session = new DiscoverySession(surface);
	const turns: ChatRequest[][] = [];
	for (const [i, turn] of script.entries()) {
		session = happenings.get(i)?.(session) ?? session;
		const requests: ChatRequest[] = [];
		const model = new ScriptedModel(turn, i, loading, surface, requests);
		const loop = runToolLoop({
			model,
			session,
			runTool: async () => textResult(scriptedResult),
			checkArguments: async () => ({ faults: [], concerns: [] }),
			resultFormat: 'result',
			system: 'You are a helpful assistant that answers with the help of tools.',
			message: { role: 'user', text: turn.prompt },
			signal: new AbortController().signal,
		});
		for await (const event of loop) {
			if (event.type === 'toolFinished' && event.result.isError) {
				throw new Error(`A call of the script failed: ${JSON.stringify(event.result.content)}`);
			}
			if (event.type === 'end' && event.reason !== 'answered')
				throw new Error(`A turn ended: ${event.reason}`);
		}
		turns.push(requests);
	}
	return turns;
}

/** A model that answers one turn as the script says, and records its requests. */
class ScriptedModel implements ChatModel {
	readonly id = 'scripted';
	readonly name = 'Scripted';
	readonly maxTools = undefined;
	readonly maxInputTokens = undefined;
	readonly loadings: readonly [Loading];
	readonly #requests: ChatRequest[];
	readonly #answers: AnswerPart[];

	constructor(
		turn: ScriptedTurn,
		number: number,
		loading: Loading,
		surface: ToolSurface,
		requests: ChatRequest[],
	) {
		this.loadings = [loading];
		this.#requests = requests;
		this.#answers = answersOf(turn, loading, (tool) => wireName(surface, tool)).map((answer, i) =>
			answer.type === 'toolCall'
				? { type: 'toolCall', call: { ...answer.call, id: `call_${number}_${i}` } }
				: answer,
		);
	}

	async answer(request: ChatRequest): Promise<readonly AnswerPart[]> {
		this.#requests.push({ ...request, messages: [...request.messages] });
		return this.#answers.splice(0, 1);
	}
}

/** One part per answer: a search if the turn needs one, the calls, and the final words. */
function answersOf(
	{ loads, calls, answer }: ScriptedTurn,
	loading: Loading,
	wireNameOf: (tool: ScriptedTool) => string,
): AnswerPart[] {
	const call = (name: string, input: Readonly<Record<string, unknown>>): AnswerPart => ({
		type: 'toolCall',
		call: { id: '', name, input },
	});
	const search = loads ? [call('search_tools', { tool_names: [wireNameOf(loads)] })] : [];
	const made = calls.map(({ tool, input }) =>
		loading === 'call'
			? call('call_tool', { name: wireNameOf(tool), arguments: input })
			: call(wireNameOf(tool), input),
	);
	return [...search, ...made, { type: 'text', text: answer }];
}

function wireName(surface: ToolSurface, [server, name]: ScriptedTool): string {
	const tool = surface.tools.find((candidate) => candidate.server === server && candidate.name === name);
	if (!tool) throw new Error(`The corpus has no tool ${server}:${name}`);
	return tool.wireName;
}
