/**
 * What a fault is, where more can be done about it than to read its message: fixes go by this and by the fault's place, never
 * by the message. Values of free form are not in it, since they may be secrets; they are found at the place.
 */
export type FaultReason =
	/** The file has nothing but spaces and comments. */
	| { readonly kind: 'empty-file' }
	/** Told by every parser of JSON, the editor's own, too. `offset`: where it goes wrong. */
	| { readonly kind: 'syntax'; readonly offset: number }
	/** `offset`: of the name that is ignored. The editor's own parser tells that, too. */
	| { readonly kind: 'doubled-key'; readonly offset: number }
	/** A key of the file's own. `known`: those that are possible there. */
	| { readonly kind: 'unknown-key'; readonly known: readonly string[] }
	| { readonly kind: 'missing-key'; readonly key: string }
	/** Has no effect where it stands. */
	| { readonly kind: 'useless-key' }
	| { readonly kind: 'wrong-type'; readonly expected: string }
	| { readonly kind: 'not-one-of'; readonly values: readonly string[] }
	/** `nearest`: the bound that it is beyond. */
	| { readonly kind: 'out-of-range'; readonly nearest: number }
	/** A name that should be one of those that the file defines. */
	| { readonly kind: 'no-client'; readonly names: readonly string[] }
	| { readonly kind: 'no-server'; readonly names: readonly string[] }
	/** A tool that its server does not have. `names`: those that it has. */
	| { readonly kind: 'no-tool'; readonly names: readonly string[] }
	/** `names`: of the templates that there are. */
	| { readonly kind: 'no-template'; readonly names: readonly string[] }
	/** A folder that is not there. */
	| { readonly kind: 'no-folder' }
	| { readonly kind: 'server-name' }
	/** Neither `command` nor `url`. */
	| { readonly kind: 'no-launch' }
	/** Both of them. */
	| { readonly kind: 'two-launches' }
	| { readonly kind: 'command-line' }
	| { readonly kind: 'unset-variable'; readonly name: string }
	/** `meant`: the known variable that was probably meant, without `${` and `}`. */
	| { readonly kind: 'unknown-variable'; readonly variable: string; readonly meant: string | undefined }
	| { readonly kind: 'literal-key' }
	| { readonly kind: 'unencrypted' }
	/** Line breaks and the like, which can be taken out of the text. */
	| { readonly kind: 'control-characters' }
	/** A variable that need not be there. */
	| { readonly kind: 'hijacking-variable' }
	| { readonly kind: 'credentials' }
	/** An address that ends in what is added to it anyway. */
	| { readonly kind: 'added-path'; readonly path: string };
