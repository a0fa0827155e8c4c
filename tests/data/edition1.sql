BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE log (
	room VARCHAR(32) NOT NULL, 
	seq INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (room, seq)
)
 WITHOUT ROWID

;
INSERT INTO "log" VALUES('2a548z4jymdsac',0,1794785702994,'!sit 0 xx3fpztz3qnry35nt389 Ännchen');
INSERT INTO "log" VALUES('2a548z4jymdsac',1,1794785703020,'I4.0@a1');
INSERT INTO "log" VALUES('5ghm7tvys3xtme',0,1794785700495,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('5ghm7tvys3xtme',1,1794785700502,'!sit 1 mhympnqfmm6z5rt59fbc Bob');
INSERT INTO "log" VALUES('5ghm7tvys3xtme',2,1794785700524,'L5.4@d8');
INSERT INTO "log" VALUES('5ghm7tvys3xtme',3,1794785700527,'F.1@i4');
INSERT INTO "log" VALUES('5ghm7tvys3xtme',4,1794785700532,'!resign 1');
INSERT INTO "log" VALUES('5ghm7tvys3xtme',5,1794785701285,'!rematch xkzumg2wtmrydm');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',0,1794785701516,'+yellow');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',1,1794785701516,'+tower@p19');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',2,1794785701516,'+22');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',3,1794785701516,'+obstacle@b17');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',4,1794785701516,'+obstacle@l20');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',5,1794785701516,'+obstacle@b4');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',6,1794785701516,'+obstacle@n4');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',7,1794785701516,'+obstacle@d16');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',8,1794785701516,'+obstacle@e2');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',9,1794785701516,'+obstacle@m13');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',10,1794785701516,'+obstacle@n11');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',11,1794785701516,'+obstacle@l9');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',12,1794785701516,'+obstacle@r6');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',13,1794785701516,'+obstacle@d9');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',14,1794785701516,'+obstacle@d19');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',15,1794785701516,'+obstacle@d14');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',16,1794785701516,'+obstacle@q16');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',17,1794785701516,'+obstacle@a13');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',18,1794785701516,'+obstacle@h2');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',19,1794785701516,'+obstacle@o14');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',20,1794785701516,'+obstacle@r14');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',21,1794785701516,'+obstacle@g10');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',22,1794785701516,'+obstacle@g6');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',23,1794785701516,'+obstacle@k11');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',24,1794785701516,'+obstacle@l1');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',25,1794785701516,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',26,1794785701807,'T4.1@a18');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',27,1794785702007,'F.1@g3');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',28,1794785702041,'N.0@k12');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',29,1794785702055,'L5.3@j6');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',30,1794785702070,'F.1@e2');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',31,1794785702090,'T4.1@o3');
INSERT INTO "log" VALUES('8kanas2b3x5sy4',32,1794785702109,'F.1@r1');
INSERT INTO "log" VALUES('9xewz7877vcc6y',0,1794785703047,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('9xewz7877vcc6y',1,1794785703051,'I4.1@b10');
INSERT INTO "log" VALUES('a668hjmxkjgrmc',0,1794785703024,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('a668hjmxkjgrmc',1,1794785703030,'Z4.1@d9');
INSERT INTO "log" VALUES('ax9mwj8vcwpnpe',0,1794785702726,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('ax9mwj8vcwpnpe',1,1794785702744,'!look 0');
INSERT INTO "log" VALUES('ax9mwj8vcwpnpe',2,1794785702869,'blue-L4.6@h6');
INSERT INTO "log" VALUES('ax9mwj8vcwpnpe',3,1794785702898,'red-Z4.4@d3');
INSERT INTO "log" VALUES('ax9mwj8vcwpnpe',4,1794785702912,'green-Z4.0@f2');
INSERT INTO "log" VALUES('jrrxnaqd2ujacd',0,1794785702921,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('jrrxnaqd2ujacd',1,1794785702976,'1.0@0,0');
INSERT INTO "log" VALUES('jrrxnaqd2ujacd',2,1794785702989,'3.4@-1,1');
INSERT INTO "log" VALUES('kbuuuwf2suenua',0,1794785699841,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('kbuuuwf2suenua',1,1794785699869,'!sit 1 mhympnqfmm6z5rt59fbc Bob');
INSERT INTO "log" VALUES('kbuuuwf2suenua',2,1794785700202,'1.0@e10');
INSERT INTO "log" VALUES('kbuuuwf2suenua',3,1794785700222,'Y.0@i3');
INSERT INTO "log" VALUES('kbuuuwf2suenua',4,1794785700226,'L5.2@e11');
INSERT INTO "log" VALUES('kbuuuwf2suenua',5,1794785700237,'F.7@f5');
INSERT INTO "log" VALUES('kbuuuwf2suenua',6,1794785700253,'Y.6@c6');
INSERT INTO "log" VALUES('kbuuuwf2suenua',7,1794785700291,'L5.2@g8');
INSERT INTO "log" VALUES('kbuuuwf2suenua',8,1794785700318,'!ask 0 4');
INSERT INTO "log" VALUES('kbuuuwf2suenua',9,1794785700430,'!agree 1');
INSERT INTO "log" VALUES('kbuuuwf2suenua',10,1794785700430,'!takeback 4');
INSERT INTO "log" VALUES('kbuuuwf2suenua',11,1794785700489,'!ask 0 2');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',0,1794785701305,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',1,1794785701313,'I5.1@p20');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',2,1794785701319,'P.6@a1');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',3,1794785701322,'Y.5@a19');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',4,1794785701324,'P.4@s1');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',5,1794785701326,'P.2@n17');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',6,1794785701329,'N.4@c2');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',7,1794785701331,'L5.3@e19');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',8,1794785701337,'L5.1@o3');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',9,1794785701339,'U.0@k19');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',10,1794785701342,'Y.2@b6');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',11,1794785701345,'P.2@a16');
INSERT INTO "log" VALUES('ky3f4wdgamb7gb',12,1794785701348,'Y.7@k5');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',0,1794785702115,'+33');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',1,1794785702115,'+41');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',2,1794785702115,'+28');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',3,1794785702115,'+40');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',4,1794785702115,'+26');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',5,1794785702115,'+18');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',6,1794785702115,'+35');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',7,1794785702115,'+15');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',8,1794785702115,'+9');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',9,1794785702115,'+4');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',10,1794785702115,'+21');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',11,1794785702115,'+56');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',12,1794785702115,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',13,1794785702232,'18.0@0,0');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',14,1794785702232,'+7');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',15,1794785702329,'21.4@-1,1');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',16,1794785702329,'+39');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',17,1794785702346,'35.1@1,-1');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',18,1794785702346,'+31');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',19,1794785702357,'9.3@-1,2');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',20,1794785702357,'+29');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',21,1794785702373,'40.1@2,-2');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',22,1794785702373,'+42');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',23,1794785702385,'4.4@-2,1');
INSERT INTO "log" VALUES('ugh4d6pzx5bjgm',24,1794785702385,'+20');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',0,1794785702484,'+A');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',1,1794785702484,'+C');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',2,1794785702484,'+A');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',3,1794785702484,'+F');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',4,1794785702484,'+A');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',5,1794785702484,'+D');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',6,1794785702484,'+D');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',7,1794785702484,'+B');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',8,1794785702484,'+A');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',9,1794785702484,'+H');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',10,1794785702484,'+K');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',11,1794785702484,'+A');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',12,1794785702484,'+B');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',13,1794785702484,'+E');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',14,1794785702484,'+B');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',15,1794785702484,'+A');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',16,1794785702484,'+C');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',17,1794785702484,'+B');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',18,1794785702484,'+G');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',19,1794785702484,'+B');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',20,1794785702484,'+C');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',21,1794785702484,'+F');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',22,1794785702484,'+J');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',23,1794785702484,'+B');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',24,1794785702484,'+E');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',25,1794785702484,'+A');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',26,1794785702484,'+G');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',27,1794785702484,'+A');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',28,1794785702484,'+B');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',29,1794785702484,'+H');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',30,1794785702484,'+D');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',31,1794785702484,'+I');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',32,1794785702484,'+1');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',33,1794785702484,'!sit 0 xx3fpztz3qnry35nt389 Ann de Vries');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',34,1794785702556,'a5@0,0');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',35,1794785702627,'c5@0,0');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',36,1794785702654,'b1@1,0');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',37,1794785702672,'e6@0,-1');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',38,1794785702683,'claim@0,4');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',39,1794785702698,'b3@0,1');
INSERT INTO "log" VALUES('v8urqm4rkqbn6w',40,1794785702718,'e1@1,1');
INSERT INTO "log" VALUES('xkzumg2wtmrydm',0,1794785701285,'!sit 1 xx3fpztz3qnry35nt389 Ann de Vries');
CREATE TABLE outages (
	start BIGINT NOT NULL, 
	"end" BIGINT NOT NULL, 
	PRIMARY KEY (start)
);
CREATE TABLE players (
	id VARCHAR(64) NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	token VARCHAR(64), 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (token)
);
INSERT INTO "players" VALUES('xx3fpztz3qnry35nt389','Ann de Vries',NULL,1794785699667);
INSERT INTO "players" VALUES('mhympnqfmm6z5rt59fbc','Bob',NULL,1794785699809);
INSERT INTO "players" VALUES('bot-gbtg5ydbsnhb','Robo','e327ca1ccfa8565d4f72e9cc9d298c0e7934a6eed0e2c6a58a28697bcf999fa2',1794785703031);
CREATE TABLE presence (
	room VARCHAR(32) NOT NULL, 
	worker VARCHAR(32) NOT NULL, 
	players TEXT NOT NULL, 
	watchers INTEGER NOT NULL, 
	PRIMARY KEY (room, worker)
);
CREATE TABLE records (
	id VARCHAR(32) NOT NULL, 
	text TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "records" VALUES('yaaa9nhmqnzypc','game: blokus
variant: duo
seat-1: Ann de Vries
seat-2: Bob
result: resign 1

L5.4@d8
F.1@i4
',1794785705168);
CREATE TABLE rooms (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	variant VARCHAR(40) NOT NULL, 
	options TEXT NOT NULL, 
	places TEXT NOT NULL, 
	clock VARCHAR(40) NOT NULL, 
	listed BOOLEAN NOT NULL, 
	at BIGINT NOT NULL, 
	touched BIGINT NOT NULL, 
	ply INTEGER NOT NULL, 
	open INTEGER NOT NULL, 
	over BOOLEAN NOT NULL, 
	waiting VARCHAR(64) NOT NULL, 
	bot BOOLEAN NOT NULL, 
	deadline BIGINT, 
	lease VARCHAR(32) NOT NULL, 
	leased BIGINT NOT NULL, closed VARCHAR(16) DEFAULT '' NOT NULL, score INTEGER DEFAULT '0' NOT NULL, spent BIGINT DEFAULT '0' NOT NULL, hints INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "rooms" VALUES('kbuuuwf2suenua','blokus','duo','','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}, {"kind": "open", "level": 0, "player": "", "name": ""}]','bank 600 5',1,1794785699841,1794785700489,12,0,0,'xx3fpztz3qnry35nt389',0,1794786310271,'',0,'',0,0,0);
INSERT INTO "rooms" VALUES('5ghm7tvys3xtme','blokus','duo','','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}, {"kind": "open", "level": 0, "player": "", "name": ""}]','none',0,1794785700495,1794785701285,6,0,1,'',0,NULL,'',0,'resign',0,0,0);
INSERT INTO "rooms" VALUES('xkzumg2wtmrydm','blokus','duo','','[{"kind": "person", "level": 0, "player": "mhympnqfmm6z5rt59fbc", "name": "Bob"}, {"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}]','none',0,1794785701285,1794785701285,1,1,0,'',0,NULL,'',0,'',0,0,0);
INSERT INTO "rooms" VALUES('ky3f4wdgamb7gb','blokus','classic','','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}, {"kind": "bot", "level": 1, "player": "", "name": ""}, {"kind": "bot", "level": 1, "player": "", "name": ""}, {"kind": "bot", "level": 1, "player": "", "name": ""}]','none',0,1794785701305,1794785701348,13,0,0,'xx3fpztz3qnry35nt389',0,NULL,'',0,'',0,0,0);
INSERT INTO "rooms" VALUES('8kanas2b3x5sy4','forma','two','layout=random assist=on','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}, {"kind": "bot", "level": 1, "player": "", "name": ""}]','none',0,1794785701516,1794785702109,33,0,0,'xx3fpztz3qnry35nt389',0,NULL,'',0,'',0,0,0);
INSERT INTO "rooms" VALUES('ugh4d6pzx5bjgm','tantrix','two','','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}, {"kind": "bot", "level": 1, "player": "", "name": ""}]','none',0,1794785702115,1794785702385,25,0,0,'xx3fpztz3qnry35nt389',0,NULL,'',0,'',0,0,0);
INSERT INTO "rooms" VALUES('v8urqm4rkqbn6w','imago','imago','','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}, {"kind": "bot", "level": 1, "player": "", "name": ""}]','none',0,1794785702484,1794785702718,41,0,0,'xx3fpztz3qnry35nt389',0,NULL,'',0,'',0,0,0);
INSERT INTO "rooms" VALUES('ax9mwj8vcwpnpe','puzzle','tetra-8x10','','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}]','up',0,1794785702726,1794785702912,5,0,0,'xx3fpztz3qnry35nt389',0,NULL,'',0,'',12,168,0);
INSERT INTO "rooms" VALUES('jrrxnaqd2ujacd','discovery','5','','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}]','up',0,1794785702921,1794785702989,3,0,0,'xx3fpztz3qnry35nt389',0,NULL,'',0,'',2,13,0);
INSERT INTO "rooms" VALUES('2a548z4jymdsac','puzzle','own','text=puzzle:_mine|rule:_cover|tiles:_L4_T4_I4_O||....|....|....|....','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "\u00c4nnchen"}]','up',0,1794785702994,1794785703020,2,0,0,'xx3fpztz3qnry35nt389',0,NULL,'',0,'',4,0,0);
INSERT INTO "rooms" VALUES('a668hjmxkjgrmc','blokus','duo','','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}, {"kind": "bot", "level": 9, "player": "", "name": ""}]','none',0,1794785703024,1794785703030,2,0,0,'',1,NULL,'tk4wjqp7a8',1794785723030,'',0,0,0);
INSERT INTO "rooms" VALUES('9xewz7877vcc6y','blokus','duo','','[{"kind": "person", "level": 0, "player": "xx3fpztz3qnry35nt389", "name": "Ann de Vries"}, {"kind": "bot", "level": 0, "player": "bot-gbtg5ydbsnhb", "name": "Robo"}]','none',0,1794785703047,1794785703051,2,0,0,'bot-gbtg5ydbsnhb',0,NULL,'',0,'',0,0,0);
CREATE TABLE seats (
	player VARCHAR(64) NOT NULL, 
	room VARCHAR(32) NOT NULL, 
	PRIMARY KEY (player, room)
)
 WITHOUT ROWID

;
INSERT INTO "seats" VALUES('bot-gbtg5ydbsnhb','9xewz7877vcc6y');
INSERT INTO "seats" VALUES('mhympnqfmm6z5rt59fbc','5ghm7tvys3xtme');
INSERT INTO "seats" VALUES('mhympnqfmm6z5rt59fbc','kbuuuwf2suenua');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','2a548z4jymdsac');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','5ghm7tvys3xtme');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','8kanas2b3x5sy4');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','9xewz7877vcc6y');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','a668hjmxkjgrmc');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','ax9mwj8vcwpnpe');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','jrrxnaqd2ujacd');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','kbuuuwf2suenua');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','ky3f4wdgamb7gb');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','ugh4d6pzx5bjgm');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','v8urqm4rkqbn6w');
INSERT INTO "seats" VALUES('xx3fpztz3qnry35nt389','xkzumg2wtmrydm');
CREATE TABLE workers (
	id VARCHAR(32) NOT NULL, 
	beat BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "workers" VALUES('tk4wjqp7a8',1794785705247);
CREATE INDEX rooms_bot ON rooms (bot, leased);
CREATE INDEX rooms_deadline ON rooms (deadline);
CREATE INDEX rooms_listed ON rooms (listed, over, touched);
CREATE INDEX rooms_touched ON rooms (touched);
COMMIT;
