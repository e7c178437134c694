import type { AutoReason, ConfiguredPolicy, DiscoveryPolicy } from '../catalog/policy.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { firstCost } from './toolTokens.ts';

/** Discovery costs the model a search per tool, so it must shrink a request by at least this share. */
const minSaving = 1 / 3;

/**
 * The surface that a configured policy comes to. With `"auto"`, the tokens of a chat's first request decide: with discovery against with
 * every tool loaded. Depends on nothing but what `make` makes of a policy, and on `keepsOn`: the head of the chat's requests was frozen
 * with discovery on. Turning it off would break that head, so only the user's own change does. The head of a chat without discovery
 * changes with every tool that comes or goes anyway, so there discovery turns on at once.
 */
export function decidedSurface(
	{ enabled, ...policy }: ConfiguredPolicy,
	make: (policy: DiscoveryPolicy) => ToolSurface,
	keepsOn = false,
): ToolSurface {
	if (enabled !== 'auto') return make({ ...policy, enabled });
	const surface = make({ ...policy, enabled: true });
	const auto = reasonFor(surface, keepsOn);
	return make({ ...policy, enabled: auto.kind !== 'fits', auto });
}

function reasonFor(surface: ToolSurface, keepsOn: boolean): AutoReason {
	const { tokens, everyToolTokens: all } = firstCost(surface);
	const saving = all > 0 ? 1 - tokens / all : 0;
	if (saving >= minSaving) return { kind: 'saves', share: saving };
	const { tools, deferred, policy } = surface;
	const limit = policy.maxRequestTools;
	if (tools.length > limit && deferred.length > 0) return { kind: 'tooMany', tools: tools.length, limit };
	return keepsOn ? { kind: 'chat' } : { kind: 'fits', tools: tools.length, tokens: all };
}
