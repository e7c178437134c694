import { unwrappedName } from '../catalog/nameSpellings.ts';
import {
	callToolName,
	readResourceName,
	type SyntheticTool,
	unwrappedCall,
} from '../catalog/syntheticTool.ts';
import { type CalledTool, type CallTarget, calledResource, calledTool, notLoaded } from './callTarget.ts';
import { EarlierTools } from './earlierTools.ts';
import { type ChatState, isInText, isLoaded } from './nextHead.ts';

type Input = Readonly<Record<string, unknown>>;

/** Where a call leads. `synthetic`: tools that the extension answers itself. `explains`: an unknown name gets the closest names. */
export function resolveCall(
	chat: ChatState,
	synthetic: readonly SyntheticTool[],
	{ name: written, input }: { readonly name: string; readonly input: Input },
	explains: boolean,
): CallTarget {
	const { surface, turn, seen } = chat;
	const name = unwrappedName(written);
	const own = synthetic.find((tool) => tool.name === name);
	if (own) return { kind: 'synthetic', tool: own };
	const isHosted = turn?.hosted?.some((tool) => tool.name === name);
	if (surface.policy.enabled && isHosted) return { kind: 'hosted' };
	const read = asRead(chat, name, input);
	if (read) return calledResource(read, surface);
	const called = calledTool(written, input, surface, new EarlierTools(surface, seen.tools), explains);
	return called.ok ? targetOf(chat, called) : { kind: 'refused', message: called.message };
}

/** The input of a resource read, made directly or through `call_tool`. */
function asRead({ surface, seen }: ChatState, name: string, input: Input): Input | undefined {
	if (!surface.policy.enabled || !seen.readsResources) return undefined;
	if (name === readResourceName) return input;
	if (name !== callToolName) return undefined;
	const wrapped = unwrappedCall(input);
	return wrapped.ok && wrapped.name === readResourceName ? wrapped.input : undefined;
}

function targetOf(chat: ChatState, { name, tool, input, isWrapped }: CalledTool): CallTarget {
	const { surface, seen } = chat;
	const { wireName } = tool;
	const unchecked = isWrapped || isInText(chat, wireName) || seen.redefined.has(wireName);
	if (isLoaded(chat, tool)) return { kind: 'tool', tool, input, unchecked };
	return surface.policy.onUndiscoveredCall === 'activate'
		? { kind: 'tool', tool, input, unchecked: true, undiscovered: true }
		: { kind: 'refused', message: notLoaded(name) };
}
