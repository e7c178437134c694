import { createHash } from 'node:crypto';

/** SHA-256 in 43 characters: nobody can find another text that has it. */
export function sha256(text: string | Uint8Array): string {
	return createHash('sha256').update(text).digest('base64url');
}
