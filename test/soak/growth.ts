/** A value at a time; units are the caller's. */
export interface Point {
	readonly at: number;
	readonly value: number;
}

/** How fast a value grows with time: the slope of the line of least squares. 0 for fewer than two times. */
export function slopeOf(points: readonly Point[]): number {
	const mean = (of: (point: Point) => number) =>
		points.reduce((sum, point) => sum + of(point), 0) / points.length;
	const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
	const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
	if (!(spread > 0)) return 0;
	return points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0) / spread;
}
