/** A header as programs take it: `Name: value`, some also `Name=value`. `undefined`: it is none. */
export function headerIn(text: string): readonly [name: string, value: string] | undefined {
	const [, name, value = ''] = /^([^:=\s]+)\s*[:=]\s*(.*)$/s.exec(text) ?? [];
	return name === undefined ? undefined : [name, value];
}
