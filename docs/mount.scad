// Holds a Camera Module 3 under the end of a wooden arm, so that it looks straight down.
//
//   openscad -o docs/mount.stl docs/mount.scad        your own arm: -D arm_width=40
//
// Print it as it lies here, without supports: PLA, 0.2 mm layers, three walls. Then turn it over: the saddle goes over
// the end of the arm from above and is held by two wood screws from each side. The camera's board is screwed below the
// tongue with four M2 × 8 screws, its lens away from the plate. All lengths are in millimetres.

arm_width = 30;    // the side of the arm that lies on the plate
room = 0.6;        // wood is never exact
wall = 4;
saddle_height = 25;
length = 40;

board = [25, 24];        // the camera's board, and where its four holes are
holes = [21, 12.5];
hole_to_edge = 2;        // from the upper pair to the board's edge
post_height = 6;         // room for the socket on the board's back
post_diameter = 5.5;
clear = 20;              // so far from the arm's end that the camera does not see it
pilot = 1.7;             // an M2 screw cuts its own thread
screw = 4;               // wood screws through the saddle

outer = arm_width + room + 2 * wall;
$fn = 24;

module saddle() {
    difference() {
        cube([outer, length, wall + saddle_height]);
        translate([wall, -1, wall]) cube([arm_width + room, length + 2, saddle_height + 1]);
        for (y = [length * 0.25, length * 0.75])
            translate([-1, y, wall + saddle_height * 0.6]) rotate([0, 90, 0]) cylinder(d = screw, h = outer + 2);
    }
}

// The board hangs in front of the arm's end.
module tongue() {
    reach = clear + board[1] + 8;
    left = (outer - board[0]) / 2 - 4;
    difference() {
        union() {
            translate([left, length - 0.01, 0]) cube([board[0] + 8, reach, wall]);
            posts() cylinder(d = post_diameter, h = wall + post_height);
        }
        posts() translate([0, 0, wall - 2]) cylinder(d = pilot, h = post_height + 3);
    }
}

module posts() {
    for (x = [0, holes[0]], y = [0, holes[1]])
        translate([(outer - holes[0]) / 2 + x, length + clear + 4 + hole_to_edge + y, 0]) children();
}

saddle();
tongue();
