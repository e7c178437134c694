import type { Loading } from '../../discovery/policy.ts';

/**
 * Whether a model knows `defer_loading` and `tool_reference`: Sonnet 4, Opus 4 and Haiku 4.5, what came after them, and every family
 * that is newer (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool, "Model compatibility").
 */
function defersTools(model: string): boolean {
	// Up to 3.7 the version stood before the family: `claude-3-5-haiku-latest`, `claude-instant-1.2`, `claude-2.1`.
	const [, family, major, minor] = /^claude-([a-z]+)(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?!\d)/.exec(model) ?? [];
	if (family === undefined || family === 'instant' || family === 'v') return false;
	if (major === undefined) return true;
	const oldest = family === 'haiku' ? 4.5 : 4;
	return Number(`${major}.${minor ?? 0}`) >= oldest;
}

/**
 * Ways in which a loaded tool can reach a model, the best first. Endpoints that only speak Anthropic's protocol mostly do not know
 * deferral, and say so with an error; a user who knows better can insist.
 */
export function anthropicLoadings(model: string, isProvidersOwn: boolean): readonly [Loading, ...Loading[]] {
	return isProvidersOwn && defersTools(model) ? ['native', 'append', 'call'] : ['append', 'native', 'call'];
}
