/**
 * The host of an address in the one form that comparisons use; `undefined`: not an address. The URL parser resolves letter case, percent
 * encoding, Unicode, user names and the number forms of IP addresses. This adds what DNS and IP treat alike: dots at the end, and an IPv6
 * address that contains an IPv4 address.
 */
export function hostOf(address: string): string | undefined {
	const host = URL.parse(address)?.hostname.replace(/\.+$/, '');
	const [, high, low] = embeddedIpv4.exec(host ?? '') ?? [];
	if (high === undefined || low === undefined) return host;
	const bytes = [high, low].flatMap((group) => {
		const number = Number.parseInt(group, 16);
		return [number >> 8, number & 0xff];
	});
	return bytes.join('.');
}

/** IPv4-mapped addresses, and those of NAT64 (RFC 6052), as the URL parser writes them. */
const embeddedIpv4 = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;
