import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in 43 characters: nobody can find another text that has it. */
export function sha256(text: string | Uint8Array): string {
	return createHash('sha256').update(text).digest('base64url');
}

/** Compares secrets in a time that does not depend on where they differ. */
export function isSameSecret(secret: string, other: string): boolean {
	const [a, b] = [Buffer.from(secret), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
}
