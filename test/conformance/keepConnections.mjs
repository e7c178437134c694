// Loaded into the judge. Its servers would close a connection that is idle for five seconds, which is how long a client of a busy machine may wait
// for its turn, while it sends the next request.
import { Server } from 'node:http';

const IDLE_MS = 120_000;

const { listen } = Server.prototype;
Server.prototype.listen = function patiently(...args) {
	this.keepAliveTimeout = IDLE_MS;
	return listen.apply(this, args);
};
