/** Folders in the workspace's storage: large results, the logs of chats, and what chats have read. */
export interface StorageFolders {
	readonly results: string;
	readonly chats: string;
	readonly reads: string;
}
