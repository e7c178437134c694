import type { ChatSessions } from '../../chat/sessions.ts';
import { Catalog } from '../../discovery/catalog/catalog.ts';
import { everythingDeferred, isEditorTool } from '../../discovery/catalog/policy.ts';
import { type Indexing, ToolSurface } from '../../discovery/catalog/toolSurface.ts';

type SearchedSessions = Pick<ChatSessions, 'surface' | 'catalog' | 'policy' | 'indexing'>;

/** What other chats can find: every tool of the configuration's servers, whether `@discovery` defers it, loads it, or is off. */
export class SearchableSurface {
	readonly #sessions: SearchedSessions;
	readonly #indexing: Indexing;
	/** The surface that was made from that of `@discovery`'s chats, kept as long as that stays. */
	#cached: { readonly of: ToolSurface; readonly surface: ToolSurface } | undefined;

	constructor(sessions: SearchedSessions) {
		this.#sessions = sessions;
		// Apart from theirs, or each would reuse an index of other tools; but with what was learned from their chats.
		const { newest: _, ...indexing } = sessions.indexing;
		this.#indexing = indexing;
	}

	/** The surface of now: that of `@discovery`'s chats where it has all tools and defers them, since an index takes time and memory. */
	get(): ToolSurface {
		const ours = this.#sessions.surface();
		const { catalog, policy } = this.#sessions;
		// The editor's own tools are there for every chat: to find them through us would show them twice.
		const servers = catalog.servers.filter(({ name }) => !isEditorTool({ server: name }, policy));
		if (ours.loaded.length === 0 && servers.length === catalog.servers.length) return ours;
		if (this.#cached?.of !== ours) {
			const names = servers.map(({ name }) => name);
			const own = new Catalog(servers, catalog.version);
			const surface = new ToolSurface(own, everythingDeferred(policy, names), undefined, this.#indexing);
			this.#cached = { of: ours, surface };
		}
		return this.#cached.surface;
	}
}
