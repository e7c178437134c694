/** An example: its features, whether it was right, and its weight. */
export interface Example<F extends string> {
	readonly x: Readonly<Record<F, number>>;
	readonly isRight: boolean;
	readonly weight: number;
}

const STEPS = 4_000;
const RATE = 1;
/** Regularization: keeps weights small unless the data need them. */
const DECAY = 0.0005;

/** Weights by logistic regression with gradient descent. */
export function regress<F extends string>(
	examples: readonly Example<F>[],
	names: readonly F[],
): Record<F | 'bias', number> {
	const all: readonly (F | 'bias')[] = ['bias', ...names];
	const zero = () => Object.fromEntries(all.map((name) => [name, 0])) as Record<F | 'bias', number>;
	const weights = zero();
	const total = examples.reduce((sum, { weight }) => sum + weight, 0);
	for (let step = 0; step < STEPS; step++) {
		const gradient = zero();
		for (const { x, isRight, weight } of examples) {
			let sum = weights.bias;
			for (const name of names) sum += weights[name] * x[name];
			const error = (weight / total) * (1 / (1 + Math.exp(-sum)) - Number(isRight));
			gradient.bias += error;
			for (const name of names) gradient[name] += error * x[name];
		}
		weights.bias -= RATE * gradient.bias;
		for (const name of names) weights[name] -= RATE * (gradient[name] + DECAY * weights[name]);
	}
	return weights;
}
