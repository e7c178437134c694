/** Why a call asks the user in spite of all permissions. The question shows it. */
export type CallConcern =
	/** It has text of another server. `excerpt`: the beginning on one line, as in the call. */
	| { readonly kind: 'text'; readonly server: string; readonly excerpt: string }
	/** It could not be compared: it is too long, older results had to make room, or a stored file cannot be read. */
	| { readonly kind: 'uncompared'; readonly why: 'long' | 'forgotten'; readonly servers: readonly string[] }
	| { readonly kind: 'uncompared'; readonly why: 'unreadable' }
	/** Its arguments cannot be checked against the tool's schema. `reason`: a clause. */
	| { readonly kind: 'unchecked'; readonly reason: string };
