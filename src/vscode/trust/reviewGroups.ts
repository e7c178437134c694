import type { ReviewedFile, ReviewedServer } from './reviewView.ts';

/** Servers of one file, in their order. */
export interface ReviewedGroup {
	readonly file?: ReviewedFile;
	readonly servers: readonly ReviewedServer[];
}

/** The rows of a review by their files, which come in the order of their first rows. */
export function reviewGroups(rows: readonly ReviewedServer[]): readonly ReviewedGroup[] {
	const groups = Map.groupBy(rows, ({ file }) => file && JSON.stringify([file.label, file.path]));
	return [...groups.values()].map((servers) => {
		const file = servers[0]?.file;
		return { ...(file && { file }), servers };
	});
}
