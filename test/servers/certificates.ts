import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';

/** A certificate with its private key, both in PEM. */
export interface Certified {
	readonly cert: string;
	readonly key: string;
}

/** A certificate authority of the test, and the certificate it issues for a host. */
export function certifiedBy(
	authority: string,
	host: string,
): { readonly ca: string; readonly server: Certified } {
	const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const isAuthority = extension([0x13], [0xff], sequence(tlv(0x01, Buffer.from([0xff]))));
	const forHost = extension([0x11], [], sequence(tlv(0x82, Buffer.from(host))));
	const ca = certificate(
		{ issuer: authority, subject: authority },
		root.publicKey,
		root.privateKey,
		isAuthority,
	);
	const cert = certificate({ issuer: authority, subject: host }, leaf.publicKey, root.privateKey, forHost);
	const key = leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
	return { ca, server: { cert, key } };
}

/** X.509 version 3 (RFC 5280) in DER, valid from yesterday to tomorrow, signed with ECDSA and SHA-256. */
function certificate(
	{ issuer, subject }: { readonly issuer: string; readonly subject: string },
	publicKey: KeyObject,
	signer: KeyObject,
	extensions: Buffer,
): string {
	const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
	const signed = sequence(
		tlv(0xa0, integer(2)),
		integer(subject.length),
		ecdsaWithSha256,
		nameOf(issuer),
		sequence(utcTime(-1), utcTime(1)),
		nameOf(subject),
		publicKey.export({ type: 'spki', format: 'der' }),
		tlv(0xa3, sequence(extensions)),
	);
	const signature = Buffer.concat([Buffer.from([0]), sign('sha256', signed, signer)]);
	return new X509Certificate(sequence(signed, ecdsaWithSha256, tlv(0x03, signature))).toString();
}

function tlv(tag: number, ...contents: readonly Buffer[]): Buffer {
	const content = Buffer.concat(contents);
	const { length } = content;
	const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
	return tlv(0x30, ...contents);
}

function integer(value: number): Buffer {
	return tlv(0x02, Buffer.from([value]));
}

function oid(...bytes: readonly number[]): Buffer {
	return tlv(0x06, Buffer.from(bytes));
}

function nameOf(commonName: string): Buffer {
	return sequence(tlv(0x31, sequence(oid(0x55, 0x04, 0x03), tlv(0x0c, Buffer.from(commonName)))));
}

function utcTime(days: number): Buffer {
	const time = new Date(Date.now() + days * 86_400_000).toISOString();
	return tlv(0x17, Buffer.from(`${time.slice(2, 19).replace(/\D/g, '')}Z`));
}

/** An extension of 2.5.29. `critical`: empty, or the encoded value `true`. */
function extension(last: readonly number[], critical: readonly number[], value: Buffer): Buffer {
	const flag = critical.length > 0 ? [tlv(0x01, Buffer.from(critical))] : [];
	return sequence(oid(0x55, 0x1d, ...last), ...flag, tlv(0x04, value));
}
