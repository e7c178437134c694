import type { ChatSessions } from '../../chat/sessions.ts';
import { Catalog } from '../../discovery/catalog/catalog.ts';
import { everythingDeferred, isEditorTool } from '../../discovery/catalog/policy.ts';
import { type Indexing, ToolSurface } from '../../discovery/catalog/toolSurface.ts';

type SearchedSessions = Pick<ChatSessions, 'surface' | 'catalog' | 'policy' | 'indexing'>;

/** What other chats can find: all tools of the configured servers, even if `@discovery` loads them or is off. */
export class SearchableSurface {
	readonly #sessions: SearchedSessions;
	readonly #indexing: Indexing;
	/** The surface derived from that of `@discovery`'s chats (`of`), until theirs changes. */
	#cached: { readonly source: ToolSurface; readonly surface: ToolSurface } | undefined;

	constructor(sessions: SearchedSessions) {
		this.#sessions = sessions;
		// Separate indexes, because each reuses its predecessor. What chats taught search is shared.
		const { newest: _, ...indexing } = sessions.indexing;
		this.#indexing = indexing;
	}

	/** Reuses the surface of `@discovery`'s chats if it defers all tools: an index takes time and memory. */
	get(): ToolSurface {
		const chatSurface = this.#sessions.surface();
		const { catalog, policy } = this.#sessions;
		// Every chat has VS Code's own tools already.
		const servers = catalog.servers.filter(({ name }) => !isEditorTool({ server: name }, policy));
		if (chatSurface.loaded.length === 0 && servers.length === catalog.servers.length) return chatSurface;
		if (this.#cached?.source !== chatSurface) {
			const names = servers.map(({ name }) => name);
			const ownCatalog = new Catalog(servers, catalog.version);
			const surface = new ToolSurface(
				ownCatalog,
				everythingDeferred(policy, names),
				undefined,
				this.#indexing,
			);
			this.#cached = { source: chatSurface, surface };
		}
		return this.#cached.surface;
	}
}
